import { RequestFailed } from '../../client/errors.ts';
import { dataOf, describeRefusal, type Exchange } from '../../exchange/exchange.ts';
import { type LeadField, leadFields } from '../../exchange/leads.ts';
import type { OwnLead, Session } from '../../session/session.ts';
import { add, updatedLead } from './leads.ts';
import { type Ask, answerAmong, inconclusive, isAccepted, type ProbeAnswer, probesOf } from './probe.ts';

const [min, max] = [64, 10_000];

/** The number of characters stored of a text of this length; `undefined` if it was refused. */
type Attempt = { readonly exchange: Exchange; readonly kept: number | undefined };

const attempt = async (session: Session, field: LeadField, length: number): Promise<Attempt> => {
  const text = session.unique(field).padEnd(length, 'x').slice(0, length);
  const exchange = await add(session, session.leadBody({ [field]: text }));
  if (!isAccepted(exchange)) return { exchange, kept: undefined };
  const echo = dataOf(exchange)[field];
  if (typeof echo === 'string' && text.startsWith(echo)) return { exchange, kept: echo.length };
  return inconclusive(`the text of ${length} characters was returned changed`);
};

/** @throws CheckInconclusive if a lead of the same size that is mostly white space is refused too: the limit is that of the body */
const expectRoom = async (session: Session, length: number, refusal: Exchange): Promise<void> => {
  const raw = JSON.stringify(session.leadBody()).padEnd(length + 200);
  if (!isAccepted(await session.send('addLead', { raw, intent: 'probe' })))
    inconclusive(`a body of that size is refused with any content: ${describeRefusal(refusal)}`);
};

/**
 * Finds the longest text that is accepted completely, by binary search. It begins at the edge of an expected limit, otherwise at the
 * ends of the range.
 */
const measure =
  (field: LeadField): Ask<ProbeAnswer> =>
  async (session, _known, before) => {
    let [accepted, refused] = [min - 1, max + 2];
    let refusal: Exchange | undefined;
    const limitOf = (kept: number, exchange: Exchange): ProbeAnswer => ({
      answer: answerAmong(`lead.${field}-limit`, kept),
      exchange,
      detail: `${kept} characters are kept`,
    });
    const first = typeof before === 'number' ? [before, before + 1] : [max + 1, min];
    for (;;) {
      const length =
        first.find((guess) => guess > accepted && guess < refused) ?? Math.floor((accepted + refused) / 2);
      const { exchange, kept } = await attempt(session, field, length);
      if (kept !== undefined && kept < length) return limitOf(kept, exchange);
      if (kept !== undefined) accepted = length;
      else {
        if (refusal === undefined) await expectRoom(session, length, exchange);
        [refused, refusal] = [length, exchange];
      }
      if (accepted > max) return { answer: 'none', exchange };
      if (refused <= min)
        return inconclusive(`${min} characters are also refused: ${describeRefusal(exchange)}`);
      if (refused - accepted === 1) return limitOf(accepted, refusal ?? exchange);
    }
  };

/** §8: maximum length of the fields of a lead. */
export const limitProbes = probesOf(
  { needs: 'writes', uses: ['addLead'] },
  leadFields.map((field) => [
    `lead.${field}-limit`,
    `POST a lead whose \`${field}\` has 10,001 characters; where that is refused or cut, searches the limit by bisection`,
    measure(field),
  ]),
);

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

const measureBody: Ask<ProbeAnswer> = async (session) => {
  let lead = await updatedLead(session);
  let last: Exchange | undefined;
  for (const [answer, bytes] of sizes) {
    const beyond = await updateWith(session, lead, bytes + 1).catch((error: Error) => {
      // A server that refuses a body before it has read it may close the connection so early that its response is lost.
      if (error instanceof RequestFailed && error.kind === 'closed') return undefined;
      throw error;
    });
    if (beyond && isAccepted(beyond)) {
      last = beyond;
      continue;
    }
    // The state of a lead is unknown after a closed connection.
    if (!beyond) lead = await updatedLead(session);
    const within = await updateWith(session, lead, bytes);
    if (isAccepted(within))
      return { answer, exchange: beyond ?? within, detail: `${bytes} bytes are accepted` };
    const refusal = beyond ? describeRefusal(beyond) : 'the connection is closed';
    inconclusive(`the limit is below ${bytes} bytes and not among the answers: ${refusal}`);
  }
  return last ? { answer: 'above-1MiB', exchange: last } : inconclusive('no request was sent');
};

/** §8: maximum size of a body. */
export const bodySizeProbes = probesOf({ needs: 'writes', uses: ['updateLead'] }, [
  [
    'limits.body-size',
    'PUT a body of 64 KiB, 100 KiB, 1 MiB and of one byte more to a lead of the run; white space inside the object makes it as long',
    measureBody,
  ],
]);
