import type { OperationId } from '../spec.ts';
import { listTemplates, sendEmail, sendTemplateEmail } from './email.ts';
import type { Call, Handler } from './handler.ts';
import { addLead, deleteLead, listLeads, retrieveLead, updateLead } from './leads.ts';

// Compiles only when every operation of the contract has a handler and no handler is left over.
const documented = {
  sendEmail,
  listTemplates,
  sendTemplateEmail,
  addLead,
  updateLead,
  deleteLead,
} as const satisfies {
  readonly [Id in OperationId]: Handler<Id>;
};

/** Operations that are served only where an answer says a deployment has them (§4.8). */
const undocumented = { retrieveLead, listLeads } as const;

export type AnyHandler = (call: Call<never>) => unknown;

/** Handlers by the operation they serve. A `Map`, so that no inherited name is ever taken for an operation. */
export const handlers: ReadonlyMap<string, AnyHandler> = new Map<string, AnyHandler>(
  Object.entries({ ...documented, ...undocumented }),
);
