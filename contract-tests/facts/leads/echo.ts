import { describeDifference } from '../../exchange/describe.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isStored } from '../../model/text.ts';
import { broken, holds, type Result } from '../fact.ts';
import { damageOf, decidedBy } from './texts.ts';

export const areas = { addLead: 'leads.add', updateLead: 'leads.update' } as const;

const echoCheck = (operation: keyof typeof areas, kind: string): string => {
  const own = operation === 'addLead' ? 'echoes-fields' : 'echoes-note';
  return `${areas[operation]}.${kind === 'echoes' ? own : kind}`;
};

/** Compares a text of a response with the one that was sent. */
export const echoOf = (
  exchange: Exchange,
  operation: keyof typeof areas,
  name: string,
  sent: string,
  shown: string,
): readonly Result[] => {
  if (isStored(sent, shown)) return decidedBy(sent).map((kind) => holds(echoCheck(operation, kind)));
  const [expected, actual] = describeDifference(sent, shown);
  const check = echoCheck(operation, damageOf(sent, shown));
  return [broken(check, exchange, `data.${name} as sent: ${expected}`, actual, `/data/${name}`)];
};
