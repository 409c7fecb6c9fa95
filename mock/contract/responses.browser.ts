// Replaces `responses.ts` in the builds for browsers, where the contract is never read.
import type * as node from './responses.ts';

export const applySuccessFields: typeof node.applySuccessFields = () => undefined;
export const describeResponses: typeof node.describeResponses = () => undefined;
