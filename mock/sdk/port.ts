import type { Item } from '../route/wait.ts';

/** A value, or the promise of one: a workspace in the same process answers at once. */
export type Eventual<Value> = Value | Promise<Value>;

type ClientRequest = { readonly query?: object; readonly body?: unknown };

/** How a wait ended: with the items that matched, or with the nearest ones and what may explain that they do not. */
type Waited<Stored> = {
  readonly isMatched: boolean;
  readonly items: readonly Stored[];
  readonly explanations: readonly string[];
};

/** How the SDK reaches a workspace: in the same process, or over HTTP. */
export type Port = {
  /** Calls a route of the admin API, named as in the tables of routes. @throws Error that says what is wrong */
  readonly call: <Reply>(address: string, request?: ClientRequest) => Eventual<Reply>;
  readonly chain: <Value, Next>(
    value: Eventual<Value>,
    next: (value: Value) => Eventual<Next>,
  ) => Eventual<Next>;
  /** @throws Error if the wait ends for another reason than its items or its time */
  readonly wait: <Stored>(
    item: Item,
    filter: object,
    options: { readonly count?: number; readonly timeoutMs: number; readonly absent: boolean },
  ) => Promise<Waited<Stored>>;
};

/** Calls a route for its effect only. */
export const send = ({ call, chain }: Port, address: string, request?: ClientRequest): Eventual<void> =>
  chain(call(address, request), () => undefined);
