// Requests that must not affect leads that they are not about.

import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { completeEmail } from '../../session/requests.ts';
import type { SendOptions } from '../../session/session.ts';
import { mailFromUnused, tryUnknown } from '../templates.ts';
import type { Lead, Tools } from '../tools.ts';

/** Requests of one kind that other leads must not notice. */
export type Act = {
  /** The checks that it decides beside those that every act decides. */
  readonly decides: readonly string[];
  /** The operation that it needs beside those of leads. */
  readonly needs?: OperationId;
  readonly causesMail?: true;
  /** Its requests come once, one after another: they cause mail, or succeed as the additions and updates between others do. */
  readonly isOnce?: true;
  readonly requests: (tools: Tools, cast: Cast) => readonly (() => Promise<unknown>)[];
};

/** The leads of a scenario. An act that succeeds may change and delete `other`, and no lead else. */
export type Cast = { readonly other: Lead; readonly newest: Lead };

const probe = { intent: 'probe' } as const;

/** Bodies of leads that most deployments refuse, in additions and in updates. */
const refusedBodies = ({ session }: Tools): readonly SendOptions[] => {
  const fields = session.leadBody();
  return [
    { raw: JSON.stringify(fields).slice(0, -1) },
    { body: { ...fields, note: 7 } },
    { body: { ...fields, name: { text: 'x' } } },
    { body: { ...fields, name: '' } },
    { raw: JSON.stringify(fields), contentType: 'text/plain' },
    { body: { ...fields, note: null } },
    { raw: '' },
  ];
};

export const acts: readonly Act[] = [
  {
    decides: ['email.send.every-time'],
    needs: 'sendEmail',
    causesMail: true,
    isOnce: true,
    requests: ({ session, update }, { newest, other }) => [
      () => update(other),
      // Neither a list nor a single refused request affects the mail after it.
      () => session.send('listTemplates', probe),
      () => session.send('updateLead', { ...probe, leadId: newest.id, body: { note: 7 } }),
      () => session.send('sendEmail', { body: completeEmail(session) }),
      () => session.send('sendEmail', { ...probe, body: [] }),
      () => session.send('sendEmail', { ...probe, raw: '{"subject":' }),
    ],
  },
  {
    decides: ['email.template.every-time', 'email.template.keeps-templates'],
    needs: 'sendTemplateEmail',
    causesMail: true,
    isOnce: true,
    requests: ({ session, update }, { other }) => [
      () => update(other),
      () => mailFromUnused(session, 'simplest'),
      () => tryUnknown(session, session.unknownId),
    ],
  },
  {
    decides: ['leads.add.every-time', 'leads.update.every-time'],
    requests: (tools, { newest }) => {
      const bodies = refusedBodies(tools);
      // An update comes first, because the first request comes again before `newest` is read. It has fields: what is no JSON
      // may not reach the operation.
      return bodies.flatMap((options, at) => [
        () =>
          tools.session.send('updateLead', {
            ...probe,
            ...bodies[(at + 1) % bodies.length],
            leadId: newest.id,
          }),
        () => tools.tryAddition(options),
      ]);
    },
  },
  {
    decides: ['templates.list.every-time', 'leads.update.refuses-unknown'],
    requests: ({ session }) => {
      const unknown = { ...probe, leadId: session.unknownId };
      const body = session.updateBody({ note: session.newNote() });
      return [
        () => session.send('listTemplates', probe),
        () => session.send('updateLead', { ...unknown, body }),
        () => session.send('deleteLead', unknown),
      ];
    },
  },
  // The last act, because `other` is gone after it.
  {
    decides: ['leads.update.repeatable', 'leads.update.field-by-field', 'leads.delete.every-time'],
    isOnce: true,
    requests: ({ session, update, tryToUpdate, remove }, { other, newest }) => {
      const { name, source, note } = session.newFields();
      return [
        () => update(newest, note),
        () => tryToUpdate(newest, { note }),
        () => tryToUpdate(other, { note }),
        () => update(other),
        () => tryToUpdate(other, { name }),
        () => tryToUpdate(other, { source }),
        () => remove(other),
      ];
    },
  },
];
