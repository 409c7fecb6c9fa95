import { describeRefusal, isRefusal } from '../exchange/exchange.ts';
import { concernsOneLead, operationOf, routes } from '../exchange/operations.ts';
import { isForeignPage } from '../exchange/origin.ts';
import { conflict, hasGoneStatus, isAbsent } from '../exchange/responses.ts';
import { attributeRefusal } from './attribution.ts';
import { broken, type Fact, holds } from './fact.ts';

/**
 * §4: a complete request like one that was accepted before succeeds. A limit on the number of leads is open (§8), and so is the
 * refusal of a mail that was sent before.
 */
export const accepted: Fact = (exchange, model) => {
  const { operation, intent, credentials, outcome } = exchange;
  if (intent !== 'complete' || credentials !== 'key' || concernsOneLead(operation)) return [];
  const refusal = attributeRefusal(exchange, model);
  if (outcome === 'success') return [holds(refusal.check)];
  if (!isRefusal(exchange) || exchange.status >= 500 || isForeignPage(exchange)) return [];
  if (isAbsent(exchange) && routes[operation].paths.length === 1)
    return [
      {
        ...broken(
          `${operationOf(operation).area}.success`,
          exchange,
          '200 and success: true',
          `no such operation: ${describeRefusal(exchange)}`,
        ),
        isOfOperation: true,
      },
    ];
  // Somebody may have deleted the template.
  if (operation === 'sendTemplateEmail' && hasGoneStatus(exchange)) return [];
  if (!model.accepts(exchange) || (exchange.status === conflict && model.wasSent(exchange))) return [];
  if (operation === 'addLead' && model.mayBeFull()) return [];
  return [
    broken(
      refusal,
      exchange,
      'a complete request like one that was accepted before to succeed',
      `refused: ${describeRefusal(exchange)}`,
    ),
  ];
};
