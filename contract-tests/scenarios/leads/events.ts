// Requests that must not affect leads that they are not about.

import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { completeEmail, templateEmail } from '../../session/email-requests.ts';
import type { Lead, Tools } from '../tools.ts';

/** A request that other leads must not notice, and the leads that a scenario offers it. */
export type Act = {
  /** The checks that it decides beside those that every act decides. */
  readonly decides: readonly string[];
  /** The operation that it needs beside those of leads. */
  readonly needs?: OperationId;
  /** Causes mail, so it is sent only once. */
  readonly isCostly?: true;
  readonly triesKeys?: true;
  /** Succeeds as the requests of other scenarios do, and they are followed by every other one. */
  readonly isUsual?: true;
  /** How many of its requests come again in a thorough run, each directly before an addition and a deletion; one by default. */
  readonly variants?: number;
  readonly run: (tools: Tools, cast: Cast) => Promise<unknown>;
};

/** The leads of a scenario. The act may change and delete `other`, and no lead else. */
export type Cast = {
  readonly other: Lead;
  readonly oldest: Lead;
  readonly newest: Lead;
  /** Only this one of several requests of the act, because it was run as a whole before. */
  readonly variant?: number;
};

const probe = { intent: 'probe' } as const;

/** Bodies of leads that most deployments refuse, in additions and in updates. */
const refusedBodies = ({ session }: Tools, { variant }: Cast) => {
  const fields = session.leadBody();
  const bodies = [
    { body: { ...fields, note: 7 } },
    { raw: JSON.stringify(fields).slice(0, -1) },
    { body: { ...fields, name: { text: 'x' } } },
    { body: { ...fields, name: '' } },
    { raw: JSON.stringify(fields), contentType: 'text/plain' },
    { body: { ...fields, note: null } },
    { raw: '' },
  ] as const;
  return variant === undefined ? bodies : bodies.slice(variant, variant + 1);
};

export const acts: readonly Act[] = [
  {
    decides: ['templates.list.every-time'],
    run: ({ session }) => session.send('listTemplates', probe),
  },
  {
    decides: ['email.send.every-time'],
    needs: 'sendEmail',
    isCostly: true,
    run: ({ session }) => session.send('sendEmail', { body: completeEmail(session) }),
  },
  {
    decides: ['email.template.every-time'],
    needs: 'sendTemplateEmail',
    isCostly: true,
    run: async ({ session }) => {
      const { template } = session.requirements;
      if (template) await session.send('sendTemplateEmail', { body: templateEmail(session, template) });
    },
  },
  {
    decides: ['leads.add.every-time', 'leads.delete.that-lead-only', 'leads.delete.keeps-notes'],
    isUsual: true,
    run: async (tools, { other, newest, variant }) => {
      const { name, source, note } = newest.expected;
      if (variant !== undefined) return tools.remove(await tools.add());
      const alike = [await tools.tryToAdd({ name, note }), await tools.tryToAdd({ source, note })];
      await tools.remove(...alike, await tools.add(), other);
    },
  },
  {
    decides: ['leads.update.that-lead-only', 'leads.update.repeatable', 'leads.update.field-by-field'],
    isUsual: true,
    run: async (tools, { other, newest }) => {
      const { name, source, note } = newest.expected;
      await tools.tryToUpdate(other, { note });
      await tools.update(other);
      await tools.tryToUpdate(other, { name, source });
      await tools.tryToUpdate(other, { ...tools.session.newFields() });
    },
  },
  {
    decides: ['leads.add.after-invalid', 'leads.update.after-invalid'],
    variants: 2,
    run: async (tools, cast) => {
      const withoutName = { body: { ...tools.session.leadBody(), name: undefined } };
      // A run that is not thorough repeats one of them: here a malformed one, in updates one with a wrong type.
      const { variant } = cast;
      const bodies = refusedBodies(tools, variant === undefined ? cast : { ...cast, variant: 1 - variant });
      for (const options of variant === undefined ? [...bodies, withoutName] : bodies)
        await tools.tryAddition(options);
    },
  },
  {
    decides: [
      'leads.update.refused-changes-nothing',
      'leads.add.after-invalid',
      'leads.update.after-invalid',
    ],
    variants: 2,
    run: async (tools, cast) => {
      for (const options of refusedBodies(tools, cast)) {
        await tools.session.send('updateLead', { ...probe, ...options, leadId: cast.newest.id });
        if (tools.isThorough && cast.variant === undefined) await tools.read(cast.newest);
      }
    },
  },
  {
    decides: ['leads.update.refuses-unknown', 'leads.update.after-invalid'],
    run: async ({ session }) => {
      const { unknownId: leadId } = session;
      await session.send('updateLead', {
        ...probe,
        leadId,
        body: session.updateBody({ note: session.newNote() }),
      });
      await session.send('deleteLead', { ...probe, leadId });
    },
  },
  {
    decides: [
      'leads.update.auth.then-key',
      'leads.update.auth.changes-nothing',
      'leads.delete.auth.changes-nothing',
    ],
    triesKeys: true,
    run: async (tools, { newest, other }) => {
      const { session } = tools;
      const wrong = { ...probe, credentials: 'random key' } as const;
      await session.send('addLead', { ...wrong, body: session.leadBody() });
      await session.send('deleteLead', { ...wrong, leadId: other.id });
      await tools.read(other);
      await session.send('updateLead', {
        ...wrong,
        leadId: newest.id,
        body: session.updateBody({ note: session.newNote() }),
      });
    },
  },
];
