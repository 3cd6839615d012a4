/*
 * What goes between a process and its threads and child processes. `Remote` and `serve` are the two ends; both share
 * the type of the methods, so that nothing is checked at run time.
 */

/** What a method gets besides its parameters. */
export interface CallContext<Event = never> {
  /** Aborted when the caller no longer wants the answer. */
  readonly signal: AbortSignal;
  /** Sends something to the caller before the answer, such as progress. */
  tell(event: Event): void;
}

/** What the other side can be asked: names with one parameter and an answer. */
export type Methods = Record<string, (params: never, context: CallContext<never>) => unknown>;

/** What a method tells its caller before it answers. */
export type EventOf<Method> = Method extends (params: never, context: CallContext<infer Event>) => unknown
  ? Event
  : never;

export type ToRemote =
  | { readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly cancel: number };

export type FromRemote =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly name: string; readonly message: string } }
  /** Of a call, or of none. */
  | { readonly id: number | undefined; readonly event: unknown };

/** Memory that moves to the other side instead of being copied; only between threads. */
export type Transfer = readonly ArrayBuffer[];
