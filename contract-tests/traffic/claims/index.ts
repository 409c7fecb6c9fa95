import { describeRefusal } from '../../client/exchange.ts';
import { isAbsent } from '../../session/availability.ts';
import { operationOf, operations } from '../../session/operations.ts';
import { maxPropagationMs } from '../../session/own-lead.ts';
import type { Context } from '../exchanges/history.ts';
import { type ClaimResult, type HistoryClaim, leadClaims } from './leads.ts';

/** Milliseconds until a change must be visible everywhere; claims about an earlier time are not applicable. */
type ClaimOptions = { readonly propagationMs?: number | undefined };

const wrongCredentials = {
  none: 'missing-key',
  Basic: 'other-scheme',
  'Bearer without a key': 'no-key',
  'Bearer null': 'null-key',
} as const;

/** §5: a request without a key is refused. */
const authentication: readonly HistoryClaim[] = operations.flatMap(({ id, area }) =>
  Object.entries(wrongCredentials).map(([credentials, name]) => ({
    check: `${area}.auth.${name}`,
    operation: id,
    inspect: ({ exchange }: Context): ClaimResult => {
      if (exchange.credentials !== credentials || exchange.outcome === 'gateway') return 'not applicable';
      return exchange.outcome === 'success'
        ? { expected: 'an error response', actual: `success with credentials: ${credentials}`, exchange }
        : 'fine';
    },
  })),
);

/**
 * §4: an operation exists at its only path. A 404 for an unknown lead or template does not
 * count, because these operations have none.
 */
const exists: readonly HistoryClaim[] = (['addLead', 'sendEmail'] as const).map((operation) => ({
  check: `${operationOf(operation).area}.success`,
  operation,
  inspect: ({ exchange }) => {
    const isValidRefused = exchange.intent === 'complete' && exchange.outcome === 'refusal';
    if (!isValidRefused || !isAbsent(exchange)) return 'not applicable';
    return {
      expected: '200 and success: true',
      actual: `no such operation: ${describeRefusal(exchange)}`,
      exchange,
    };
  },
}));

/** All claims that need more than one response, in the order in which they are checked. */
export const historyClaims = ({
  propagationMs = maxPropagationMs,
}: ClaimOptions = {}): readonly HistoryClaim[] => [
  ...leadClaims(propagationMs),
  ...authentication,
  ...exists,
];
