import type { Answer } from '../../../mock/contract/questions.ts';
import { RequestFailed } from '../../client/errors.ts';
import { dataOf, describeRefusal, type Exchange } from '../../exchange/exchange.ts';
import { type LeadField, leadFields } from '../../exchange/leads.ts';
import type { OwnLead, Session } from '../../session/session.ts';
import { add, updatedLead } from './leads.ts';
import { answerFrom, inconclusive, type Probe, type ProbeAnswer } from './probe.ts';

const min = 64;
const max = 10_000;

/** The result for a text of `length` characters: the number of characters stored, `undefined` if it was refused. */
type Attempt = { readonly exchange: Exchange; readonly storedLength: number | undefined };

const attempt = async (session: Session, field: LeadField, length: number): Promise<Attempt> => {
  const text = session.unique(field).padEnd(length, 'x').slice(0, length);
  const exchange = await add(session, session.leadBody({ [field]: text }));
  if (answerFrom(exchange) === 'refused') return { exchange, storedLength: undefined };
  const echo = dataOf(exchange)[field];
  if (typeof echo === 'string' && text.startsWith(echo)) return { exchange, storedLength: echo.length };
  return inconclusive(`the text of ${length} characters was returned changed`);
};

/**
 * Whether a lead of the same size that is mostly white space is also refused: then the limit
 * is that of the body, not of the field.
 */
const refusesSize = async (session: Session, length: number): Promise<boolean> => {
  const raw = JSON.stringify(session.leadBody()).padEnd(length + 200);
  return answerFrom(await session.send('addLead', { raw, intent: 'probe' })) === 'refused';
};

const inSpace = (storedLength: number, exchange: Exchange): ProbeAnswer =>
  storedLength >= min && storedLength <= max
    ? { answer: storedLength, exchange, detail: `${storedLength} characters are kept` }
    : inconclusive(`a limit of ${storedLength} characters is not among the answers (${min}-${max})`);

/** Finds the longest text that is accepted completely, by binary search. */
const search = async (session: Session, field: LeadField): Promise<ProbeAnswer> => {
  let [accepted, refused] = [min, max + 1];
  const shortest = await attempt(session, field, min);
  if (shortest.storedLength === undefined)
    return inconclusive(`${min} characters are also refused: ${describeRefusal(shortest.exchange)}`);
  let { exchange, storedLength } = shortest;
  if (storedLength < min) return inSpace(storedLength, exchange);
  while (refused - accepted > 1) {
    const length = Math.floor((accepted + refused) / 2);
    const tried = await attempt(session, field, length);
    if (tried.storedLength !== undefined && tried.storedLength < length)
      return inSpace(tried.storedLength, tried.exchange);
    if (tried.storedLength === undefined) [refused, exchange] = [length, tried.exchange];
    else [accepted, storedLength] = [length, tried.storedLength];
  }
  return inSpace(accepted, exchange);
};

/** Confirms an expected limit: exactly that number of characters is kept, and not one more. */
const holds = async (session: Session, field: LeadField, limit: number): Promise<ProbeAnswer | undefined> => {
  const within = await attempt(session, field, limit);
  if (within.storedLength !== limit) return undefined;
  const beyond = await attempt(session, field, limit + 1);
  return beyond.storedLength === undefined || beyond.storedLength === limit
    ? { answer: limit, exchange: beyond.exchange, detail: `${limit} characters are kept` }
    : undefined;
};

const measure = async (session: Session, field: LeadField, before?: Answer): Promise<ProbeAnswer> => {
  if (typeof before === 'number') {
    const confirmation = await holds(session, field, before);
    if (confirmation) return confirmation;
  }
  const { exchange, storedLength } = await attempt(session, field, max + 1);
  if (storedLength === max + 1) return { answer: 'none', exchange, detail: 'kept in full' };
  if (storedLength !== undefined) return inSpace(storedLength, exchange);
  if (await refusesSize(session, max + 1))
    return inconclusive(`a body of that size is refused with any content: ${describeRefusal(exchange)}`);
  return search(session, field);
};

const limitProbe = (field: LeadField): Probe => ({
  question: `lead.${field}-limit`,
  needs: 'writes',
  uses: ['addLead'],
  description: `POST a lead whose \`${field}\` has 10,001 characters; where that is refused or cut, searches the limit by bisection`,
  probe: (session, _known, before) => measure(session, field, before),
});

/** §8: maximum length of the fields of a lead. */
export const limitProbes: readonly Probe[] = leadFields.map(limitProbe);

const sizes = [
  ['64KiB', 65_536],
  ['100KiB', 102_400],
  ['1MiB', 1_048_576],
] as const;

/**
 * Updates the lead with a body of exactly this number of bytes. White space before the first field: no field is long, and a parser
 * must read all of it to reach the fields.
 */
const updateWith = (session: Session, lead: OwnLead, bytes: number): Promise<Exchange> => {
  const body = JSON.stringify(session.updateBody({ note: session.newNote() }, lead));
  const raw = `{${' '.repeat(bytes - Buffer.byteLength(body))}${body.slice(1)}`;
  return session.send('updateLead', { leadId: lead.id, raw, intent: 'probe' });
};

const isAccepted = (exchange: Exchange): boolean => answerFrom(exchange) === 'accepted';

/**
 * Sends a body above the limit; `undefined` if the connection was closed: a server that refuses a body before it has read it may
 * close so early that its response is lost.
 */
const sendBeyondLimit = async (
  session: Session,
  lead: OwnLead,
  bytes: number,
): Promise<Exchange | undefined> => {
  try {
    return await updateWith(session, lead, bytes);
  } catch (error) {
    if (error instanceof RequestFailed && error.kind === 'closed') return undefined;
    throw error;
  }
};

const measureBody = async (session: Session): Promise<ProbeAnswer> => {
  const lead = await updatedLead(session);
  let last: Exchange | undefined;
  for (const [answer, bytes] of sizes) {
    const beyond = await sendBeyondLimit(session, lead, bytes + 1);
    if (beyond && isAccepted(beyond)) {
      last = beyond;
      continue;
    }
    // The state of a lead is unknown after a closed connection.
    const within = await updateWith(session, beyond ? lead : await updatedLead(session), bytes);
    if (isAccepted(within))
      return { answer, exchange: beyond ?? within, detail: `${bytes} bytes are accepted` };
    const refusal = beyond ? describeRefusal(beyond) : 'the connection is closed';
    inconclusive(`the limit is below ${bytes} bytes and not among the answers: ${refusal}`);
  }
  return last
    ? { answer: 'above-1MiB', exchange: last, detail: 'more than 1 MiB is accepted' }
    : inconclusive('no request was sent');
};

/** §8: maximum size of a body. */
export const bodySizeProbe: Probe = {
  question: 'limits.body-size',
  needs: 'writes',
  uses: ['updateLead'],
  description:
    'PUT a body of 64 KiB, 100 KiB, 1 MiB and of one byte more to a lead of the run; white space inside the object makes it as long',
  probe: measureBody,
};
