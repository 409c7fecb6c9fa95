import type { ActiveCheck } from '../../session/check.ts';
import { claimOf } from '../../session/operations.ts';
import { RefusalAllowed } from '../../session/outcome.ts';
import { leadFields, type OwnLead } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import type { Fields } from '../support/lead-assertions.ts';
import { expectKept, requireAccepted } from '../support/text-assertions.ts';
import { padded, usualLength } from './text-length.ts';

const inAll = ({ name, source, note }: Fields, change: (text: string) => string): Fields => ({
  name: change(name),
  source: change(source),
  note: change(note),
});

const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** What a database takes for the same where it compares texts without letter case, without accents, or by their beginnings. */
const nearDuplicatesOf = (fields: Fields): readonly Fields[] => [
  inAll(fields, (text) => text.toUpperCase()),
  inAll(fields, withoutAccents),
  { ...fields, note: `${fields.note.slice(0, -1)}x` },
];

/** A lead with accents in its texts, or with none where they are refused. */
const addAccented = async (session: Session): Promise<OwnLead> => {
  const fields = inAll(session.newFields(), (text) => text.replace(/e$/, 'é'));
  // As long as any deployment takes, so that a limit cuts nothing off.
  const note = padded(fields.note, usualLength);
  const { exchange, lead } = await session.addLead({ ...fields, note }, 'text');
  return exchange.outcome === 'success' && lead ? lead : session.ownLead();
};

const isSame = (left: Fields, right: Fields): boolean =>
  leadFields.every((field) => left[field] === right[field]);

/** The response has the texts of this lead, and not those of one that the deployment takes for the same. @returns whether it was accepted */
const expectOwnTexts = async (session: Session, fields: Fields): Promise<boolean> => {
  const { exchange, lead } = await session.addLead(fields, 'text');
  if (exchange.outcome === 'refusal') return false;
  expectKept(requireAccepted(exchange), lead?.expected ?? fields);
  return true;
};

/** To refuse such a lead is a deployment's choice, as is the merging of equal leads; a success is about the new lead. */
export const nearDuplicateCheck: ActiveCheck = {
  id: 'leads.add.near-duplicates',
  leads: 5,
  title: 'a new lead has its own texts, though they are almost those of another lead or of a deleted one',
  level: 'documented',
  ...claimOf('addLead'),
  run: async (session) => {
    const first = await addAccented(session);
    const accepted: boolean[] = [];
    for (const fields of nearDuplicatesOf(first.expected))
      if (!isSame(fields, first.expected)) accepted.push(await expectOwnTexts(session, fields));
    if (session.can('deleteLead')) {
      await session.deleteLead(first);
      accepted.push(await expectOwnTexts(session, { ...first.expected, note: session.newNote() }));
    }
    if (!accepted.includes(true))
      throw new RefusalAllowed('the deployment refuses leads that are so much alike');
  },
};
