import type { Answer } from '../../mock/questions.ts';
import { dataOf, type Exchange, wordsOf } from '../exchange.ts';
import type { Session } from '../session.ts';
import { add, leadBody } from './leads.ts';
import { inconclusive, needUsable, type Observation, type Probe, verdictOf } from './probe.ts';

type Field = 'name' | 'source' | 'note';

const least = 64;
const most = 10_000;

/** What became of a text of `length` characters: refused, or stored with so many of them. */
type Attempt = { readonly exchange: Exchange; readonly kept: number | undefined };

const attempt = async (session: Session, field: Field, length: number): Promise<Attempt> => {
  const text = session.unique(field).padEnd(length, 'x').slice(0, length);
  const exchange = await add(session, leadBody(session, { [field]: text }));
  if (verdictOf(exchange) === 'refused') return { exchange, kept: undefined };
  const echo = dataOf(exchange)[field];
  if (typeof echo === 'string' && text.startsWith(echo)) return { exchange, kept: echo.length };
  return inconclusive(`the text of ${length} characters came back changed`);
};

/** A lead of the same size that is mostly white space: refused too, the size of the body is refused and not the field. */
const refusesSize = async (session: Session, length: number): Promise<boolean> => {
  const raw = JSON.stringify(leadBody(session)).padEnd(length + 200);
  return verdictOf(await session.send('addLead', { raw, intent: 'probe' })) === 'refused';
};

const inSpace = (kept: number, exchange: Exchange): Observation =>
  kept >= least && kept <= most
    ? { answer: kept, exchange, saw: `${kept} characters are kept` }
    : inconclusive(`a limit of ${kept} characters is not among the answers (${least}-${most})`);

/** The longest text that is taken whole, between one that is and one that is not. */
const search = async (session: Session, field: Field): Promise<Observation> => {
  let [taken, refused] = [least, most + 1];
  const shortest = await attempt(session, field, least);
  if (shortest.kept === undefined)
    return inconclusive(`${least} characters are refused too: ${wordsOf(shortest.exchange)}`);
  let { exchange, kept } = shortest;
  if (kept < least) return inSpace(kept, exchange);
  while (refused - taken > 1) {
    const length = Math.floor((taken + refused) / 2);
    const tried = await attempt(session, field, length);
    if (tried.kept !== undefined && tried.kept < length) return inSpace(tried.kept, tried.exchange);
    if (tried.kept === undefined) [refused, exchange] = [length, tried.exchange];
    else [taken, kept] = [length, tried.kept];
  }
  return inSpace(taken, exchange);
};

/** Whether a limit that is expected holds: exactly so many characters are kept, and not one more. */
const holds = async (session: Session, field: Field, limit: number): Promise<Observation | undefined> => {
  const within = await attempt(session, field, limit);
  if (within.kept !== limit) return undefined;
  const beyond = await attempt(session, field, limit + 1);
  return beyond.kept === undefined || beyond.kept === limit
    ? { answer: limit, exchange: beyond.exchange, saw: `${limit} characters are kept` }
    : undefined;
};

const measure = async (session: Session, field: Field, before?: Answer): Promise<Observation> => {
  if (typeof before === 'number') {
    const held = await holds(session, field, before);
    if (held) return held;
  }
  const { exchange, kept } = await attempt(session, field, most + 1);
  if (kept === most + 1) return { answer: 'none', exchange, saw: 'kept whole' };
  if (kept !== undefined) return inSpace(kept, exchange);
  if (await refusesSize(session, most + 1))
    return inconclusive(`a body of that size is refused whatever it holds: ${wordsOf(exchange)}`);
  return search(session, field);
};

const limitProbe = (field: Field): Probe => ({
  question: `lead.${field}-limit`,
  needs: 'writes',
  asks: `POST a lead whose \`${field}\` has 10,001 characters; where that is refused or cut, halves its way to the limit`,
  probe: async (session, known, before) => {
    needUsable(session, known, 'addLead');
    return measure(session, field, before);
  },
});

/** §8: how long the fields of a lead may be. */
export const limitProbes: readonly Probe[] = (['name', 'source', 'note'] as const).map(limitProbe);
