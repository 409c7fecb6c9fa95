// In place of `responses.ts` in the builds for browsers, whose contract nobody reads.
import type * as node from './responses.ts';

export const applySuccessFields: typeof node.applySuccessFields = () => undefined;
export const describeResponses: typeof node.describeResponses = () => undefined;
