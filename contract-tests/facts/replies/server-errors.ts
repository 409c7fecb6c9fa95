import type { Exchange } from '../../client/exchange.ts';
import { CheckUnstable, type Failure } from '../../session/outcome.ts';
import { isServerError } from '../../session/trouble.ts';
import { isolatedErrors } from './response-fields.ts';

/** Finds server errors that a request causes again. @throws CheckUnstable if a few errors did not come again */
export const findServerErrors = (exchanges: readonly Exchange[]): Failure | undefined => {
  const judged = exchanges.filter(
    ({ intent, credentials }) => intent !== 'complete' || credentials !== 'key',
  );
  const errors = judged.filter(isServerError);
  const isolated = isolatedErrors(judged);
  const exchange = errors.find((error) => !isolated.has(error)) ?? errors[0];
  if (!exchange) return undefined;
  const failure = {
    expected: 'a status below 500, or an error that describes what is wrong with the request',
    actual: `status ${exchange.status}`,
    exchange,
  };
  if (!isolated.has(exchange)) return failure;
  throw new CheckUnstable({
    reason: `status ${exchange.status} for a request that did not cause it when it was repeated`,
    failure: { ...failure, sporadic: true },
  });
};
