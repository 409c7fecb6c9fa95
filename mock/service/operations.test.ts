import { expect, test } from 'vitest';
import { operationIds } from '../contract/in-force.ts';
import * as email from './email-operations.ts';
import * as leads from './lead-operations.ts';

test('every operation of openapi.yaml has a handler, and every handler an operation', () => {
  expect(Object.keys({ ...email, ...leads }).sort()).toEqual(operationIds().sort());
});
