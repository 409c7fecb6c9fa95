import type { Behaviour } from '../server/behaviour.ts';
import { createService } from '../server/server.ts';
import type { Deployment, Mutation } from '../server/types.ts';

/** A conforming server that demands nothing but what the document shows. */
export const conformingWith = (
  id: string,
  title: string,
  group: string,
  behaviour: Partial<Behaviour>,
  mutation: Mutation,
): Deployment & { requirements: object } => ({
  id,
  title,
  group,
  requirements: {},
  start: createService(behaviour, mutation).start,
});
