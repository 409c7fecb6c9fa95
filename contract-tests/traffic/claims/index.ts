import { describeRefusal } from '../../client/exchange.ts';
import { isAbsent } from '../../session/availability.ts';
import { operationOf, operations } from '../../session/operations.ts';
import { maxPropagationMs } from '../../session/own-lead.ts';
import type { Context } from '../exchanges/history.ts';
import { type ClaimResult, type HistoryClaim, leadClaims } from './leads.ts';

/** How long a change may take to be seen everywhere; a claim about the time before that says nothing. */
type ClaimOptions = { readonly propagationMs?: number | undefined };

const wrongCredentials = {
  none: 'missing-key',
  Basic: 'other-scheme',
  'Bearer without a key': 'no-key',
  'Bearer null': 'null-key',
} as const;

/** §5: what carries no key is refused. */
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

/** §4: an operation is there, at its only path; what is refused with 404 for an unknown lead or template is not meant. */
const exists: readonly HistoryClaim[] = (['addLead', 'sendEmail'] as const).map((operation) => ({
  check: `${operationOf(operation).area}.success`,
  operation,
  inspect: ({ exchange }) => {
    const isMeant = exchange.intent === 'complete' && exchange.outcome === 'refusal';
    if (!isMeant || !isAbsent(exchange)) return 'not applicable';
    return {
      expected: '200 and success: true',
      actual: `no such operation: ${describeRefusal(exchange)}`,
      exchange,
    };
  },
}));

/** Every claim that needs more than one response, in the order in which it is judged. */
export const historyClaims = ({
  propagationMs = maxPropagationMs,
}: ClaimOptions = {}): readonly HistoryClaim[] => [
  ...leadClaims(propagationMs),
  ...authentication,
  ...exists,
];
