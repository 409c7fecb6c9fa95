import { type Credentials, dataOf, type Exchange } from '../client/exchange.ts';
import type { ActiveCheck, Level } from '../session/check.ts';
import { type Operation, operations } from '../session/operations.ts';
import { CheckInconclusive, CheckSkipped, fail } from '../session/outcome.ts';
import type { OwnLead } from '../session/own-lead.ts';
import { concernsOneLead } from '../session/routes.ts';
import type { Session } from '../session/session.ts';
import {
  expectNothingShown,
  expectRejected,
  expectSlashRejected,
  keyText,
  sendWithSlash,
} from './exposed-data.ts';
import { type Action, expectUnchanged, type WatchedLead, watchLead } from './support/lead-state.ts';

/** Credentials other than the key. */
type WrongKey = {
  readonly id: string;
  readonly credentials: Credentials;
  /** Further credentials of the same kind. */
  readonly alike?: readonly Credentials[];
  readonly level: Level;
  readonly title: string;
  /** For key comparisons: also tested on operations of leads, which often have their own router. */
  readonly leads?: true;
};

/** Tested on every operation at every path form. */
const wrongKeys: readonly WrongKey[] = [
  {
    id: 'missing-key',
    credentials: 'none',
    level: 'documented',
    title: 'a request without Authorization is rejected',
  },
  {
    id: 'unknown-key',
    credentials: 'random key',
    level: 'documented',
    title: 'an unknown key is rejected',
  },
  {
    id: 'no-key',
    credentials: 'Bearer without a key',
    level: 'documented',
    title: 'Authorization without a key is rejected',
  },
  {
    id: 'other-scheme',
    credentials: 'Basic',
    level: 'documented',
    title: 'wrong credentials are also rejected under another scheme',
  },
  {
    id: 'near-miss-key',
    credentials: 'key with ~ appended',
    level: 'derived',
    title: 'the key with an extra character at its end is rejected',
  },
];

/**
 * Tested on few operations, at one path form only: they show how keys are compared, and every wrong key counts towards a
 * lock-out. Not tested on operations that send mail, because a refused request counts as a mail too.
 */
const keyComparisons: readonly WrongKey[] = [
  {
    id: 'other-case-key',
    credentials: 'key in other case',
    level: 'derived',
    title: 'the key with upper and lower case swapped is rejected',
    leads: true,
  },
  {
    id: 'led-key', // led: with a character before it
    credentials: 'key after ~',
    level: 'derived',
    title: 'the key with an extra character at its start is rejected',
  },
  {
    id: 'shortened-key',
    credentials: 'key without its last character',
    level: 'derived',
    title: 'the key without its last character is rejected',
    leads: true,
  },
  {
    id: 'other-last-character',
    credentials: 'key with another last character',
    level: 'derived',
    title: 'the key with a different last character is rejected',
  },
  {
    id: 'other-first-character',
    credentials: 'key with another first character',
    level: 'derived',
    title: 'the key with a different first character is rejected',
  },
  {
    id: 'dash-underscore-key',
    credentials: 'key with - and _ exchanged',
    level: 'derived',
    title: 'the key with - in place of _, or the reverse, is rejected',
  },
  {
    id: 'null-key',
    credentials: 'Bearer null',
    alike: ['Bearer undefined'],
    level: 'documented',
    title: 'the word null or undefined as a key is rejected',
    leads: true,
  },
  {
    id: 'pattern-key',
    credentials: 'Bearer %',
    alike: ['Bearer .*'],
    level: 'documented',
    title: 'a wildcard as a key is rejected',
  },
  {
    id: 'ending-only',
    credentials: 'end of the key',
    level: 'derived',
    title: 'a key that only ends like the real key is rejected',
  },
  {
    id: 'small-letters-scheme',
    credentials: 'bearer with a random key',
    level: 'documented',
    title: 'an unknown key is also rejected under the lower-case scheme "bearer"',
  },
];

const comparisonsOf = ({ needs }: Operation): readonly WrongKey[] => {
  if (needs === 'mail') return [];
  return needs === 'read' ? keyComparisons : keyComparisons.filter(({ leads }) => leads);
};

/** Every operation, at every existing path form, with every kind of wrong credentials (§5.1). */
export const authenticationChecks: readonly ActiveCheck[] = operations.flatMap((operation) =>
  [...wrongKeys, ...comparisonsOf(operation)].map((wrongKey, turn) => ({
    id: `${operation.area}.auth.${wrongKey.id}`,
    title: wrongKey.title,
    section: '5',
    level: wrongKey.level,
    operation: operation.id,
    needs: operation.needs,
    ...(operation.needs === 'mail' ? { mails: operation.paths.length } : {}),
    run: (session: Session) => tryWrongKey(session, operation, wrongKey, turn),
  })),
);

const tryWrongKey = async (
  session: Session,
  operation: Operation,
  wrongKey: WrongKey,
  turn: number,
): Promise<void> => {
  if (!session.client.differs(wrongKey.credentials))
    throw new CheckSkipped(
      'such a key may be valid: the real key is too short, is a test key, or has no such characters',
    );
  try {
    const watched = concernsOneLead(operation.id) ? await watchSharedLead(session) : undefined;
    await tryPathForms(session, operation, wrongKey, turn, watched);
  } catch (error) {
    session.sharedLead.lead = undefined; // including what was shown of it: a request that was accepted may have changed it
    throw error;
  }
};

const tryPathForms = async (
  session: Session,
  operation: Operation,
  wrongKey: WrongKey,
  turn: number,
  watched: WatchedLead | undefined,
): Promise<void> => {
  for (const credentials of [wrongKey.credentials, ...(wrongKey.alike ?? [])])
    await tryCredentials(session, operation, { ...wrongKey, credentials }, turn, watched);
  if (wrongKey.credentials !== 'none') return;
  await expectSlashRejected(session, operation, watched?.lead);
  if (watched)
    await expectUntouched(session, watched, {
      label: `${operation.id} without a key, at a path with a slash at its end`,
      run: (lead) => sendWithSlash(session, operation, operation.paths[0], lead),
    });
};

const tryCredentials = async (
  session: Session,
  operation: Operation,
  { id, credentials }: WrongKey,
  turn: number,
  watched: WatchedLead | undefined,
): Promise<void> => {
  const forms = session.pathForms(operation.id);
  const isComparison = keyComparisons.some((comparison) => comparison.id === id);
  for (const [index, path] of (isComparison ? forms.slice(0, 1) : forms).entries()) {
    const send = (lead?: OwnLead): Promise<Exchange> => {
      const request = operation.validRequest(session, { lead, turn: turn + index });
      return session.send(operation.id, { ...request, path, credentials, intent: 'probe' });
    };
    const exchange = await send(watched?.lead);
    expectRejected(exchange);
    expectNothingShown(session, exchange, watched?.lead);
    // The valid key has not been used with a new lead yet.
    if (watched && id === 'unknown-key') expectRejected(await send(await session.ownLead()));
    // The other kinds of wrong keys show the effect of a refusal; a comparison only tests whether there is one.
    if (watched && !isComparison)
      await expectUntouched(session, watched, {
        label: `${operation.id} with ${keyText(credentials)}, which was rejected`,
        run: send,
      });
  }
};

/** Returns a lead that was requested with the valid key before, to find a server that caches paths or leads as authorised. */
const watchSharedLead = async (session: Session): Promise<WatchedLead> => {
  const lead = await session.useSharedLead();
  if (!session.can('updateLead')) return { lead, before: {}, isRetrievable: false };
  if (!lead.observed) await session.updateLead(lead, session.newNote());
  const { sharedLead } = session;
  if (sharedLead.watched?.lead !== lead) sharedLead.watched = await watchLead(session, lead);
  return sharedLead.watched;
};

/** Finds the update with a wrong key that contained this note. */
const findRejected = ({ client }: Session, note: unknown): Exchange | undefined =>
  client.exchanges.find(
    ({ operation, credentials, body }) =>
      operation === 'updateLead' &&
      credentials !== 'key' &&
      note !== '' &&
      body?.includes(JSON.stringify(note)),
  );

/** A refused request must have no effect: the lead still exists and is unchanged. */
const expectUntouched = async (session: Session, watched: WatchedLead, action: Action): Promise<void> => {
  if (!session.can('updateLead')) return; // no other operation shows a lead
  if (!watched.lead.observed) throw new CheckInconclusive('the lead that the check needs was never found');
  await expectUnchanged(session, watched, action, (change, shown) => {
    const rejected = findRejected(session, dataOf(shown).note);
    if (rejected) fail('a rejected update to change nothing', 'its note was stored later', rejected);
    throw new CheckInconclusive(`a lead also changes without a wrong key: expected ${change}`);
  });
};
