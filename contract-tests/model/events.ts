import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** A kind of request that other leads must not notice: an operation that succeeded, or why none did. */
type EventKind = OperationId | 'refusal' | 'wrong key' | 'unknown lead';

/** An exchange of a kind, its number in the history, and the lead that it is about. */
export type Event = {
  readonly kind: EventKind;
  readonly number: number;
  readonly leadId: string;
  readonly exchange: Exchange;
};

/** The kind of an exchange. @param isKnown whether the lead that it is about was added */
export const kindOf = ({ credentials, outcome, operation }: Exchange, isKnown: boolean): EventKind => {
  if (credentials !== 'key') return 'wrong key';
  if (outcome === 'success') return operation;
  return isKnown ? 'refusal' : 'unknown lead';
};

/** The latest exchanges of each kind and operation, also those about another lead than the latest. */
export const createEvents = () => {
  const latest = new Map<string, readonly Event[]>();
  let last: EventKind | undefined;
  return {
    /** The kind of the latest event. */
    latest: (): EventKind | undefined => last,
    add: (event: Event): void => {
      last = event.kind;
      const id = `${event.kind} ${event.exchange.operation}`;
      const others = (latest.get(id) ?? []).filter(({ leadId }) => leadId !== event.leadId);
      // Two are enough: one of them is about another lead than any lead that is asked for.
      latest.set(id, [event, ...others].slice(0, 2));
    },
    /** The latest events after an exchange, about another lead or, unless they are a success, about this one; the last one first. */
    since: (number: number, leadId: string): readonly Event[] =>
      [...latest.values()]
        .flat()
        .filter((event) => {
          const isOther = event.leadId !== leadId || event.kind === 'refusal' || event.kind === 'wrong key';
          return isOther && event.number > number;
        })
        .sort((left, right) => right.number - left.number),
  };
};
