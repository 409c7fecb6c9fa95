import { show } from '../exchange/describe.ts';
import { describeRefusal, type Exchange, excerpt, sentFields } from '../exchange/exchange.ts';
import { leadFields } from '../exchange/leads.ts';
import { operationOf } from '../exchange/operations.ts';
import { decidedBy } from '../facts/leads/texts.ts';
import type { Judgement } from './judge.ts';

type Text = { readonly field: string; readonly text: string; readonly exchange: Exchange };

/** The checks that a text of a request decides; none for an ordinary text, which is beside the one that is tested. */
const checksOf = ({ text, exchange }: Text): readonly string[] =>
  decidedBy(text).flatMap((kind) =>
    kind === 'echoes' ? [] : [`${operationOf(exchange.operation).area}.${kind}`],
  );

const testedTexts = (exchange: Exchange): readonly Text[] => {
  const sent = sentFields(exchange);
  return leadFields.flatMap((field) => {
    const text = sent[field];
    const isTested = typeof text === 'string' && (exchange.operation === 'addLead' || field === 'note');
    return isTested ? [{ field, text, exchange }] : [];
  });
};

/** The texts that a check could not test because the deployment refuses them, one sentence for each check (§8 leaves that open). */
export const untestedTexts = (judged: readonly Judgement[]): ReadonlyMap<string, string> => {
  const keyOf = ({ field, text, exchange }: Text): string => `${exchange.operation} ${field} ${text}`;
  const isText = ({ intent, operation }: Exchange): boolean =>
    intent === 'text' && (operation === 'addLead' || operation === 'updateLead');
  const texts = judged.flatMap(({ exchange }) => (isText(exchange) ? testedTexts(exchange) : []));
  const stored = new Set(texts.filter(({ exchange }) => exchange.outcome === 'success').map(keyOf));
  const refused = new Map(
    texts.filter((text) => !stored.has(keyOf(text))).map((text) => [keyOf(text), text]),
  );
  const ofCheck = new Map<string, readonly Text[]>();
  for (const text of refused.values())
    for (const check of checksOf(text)) ofCheck.set(check, [...(ofCheck.get(check) ?? []), text]);
  return new Map([...ofCheck].map(([check, found]) => [check, describe(found)]));
};

const describe = (found: readonly Text[]): string => {
  const fields = [...new Set(found.map(({ field }) => field))].join(', ');
  const texts = [...new Set(found.map(({ text }) => show(text)))];
  const named = texts.slice(0, 3).map((text) => excerpt(text, 60));
  const more = texts.length > named.length ? ` and ${texts.length - named.length} more` : '';
  const refusals = [...new Set(found.map(({ exchange }) => describeRefusal(exchange)))];
  return `not tested for ${fields}: ${named.join(', ')}${more}, refused with ${refusals.slice(0, 2).join(' and ')}`;
};
