/** In every prompt we give a client, so that its side requests (titles, summaries) can be told apart. */
export const MARK = 'PINHOLE-SCRIPT';

/** A call that the model makes, by the name that the client gave the tool. */
export interface ModelCall {
  readonly name: string;
  /** Codex puts the tools of a server into a namespace. */
  readonly namespace?: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the model does next, given every tool result it has been shown; undefined when it has finished. */
export type Script = (results: readonly string[]) => ModelCall | undefined;

/** What one request tells the model. */
export interface Conversation {
  /** Whether this is the conversation of our prompt. */
  readonly scripted: boolean;
  /** Tool results as the client shows them, in order. */
  readonly results: readonly string[];
}

/** An HTTP reply, sent all at once. */
export interface Reply {
  readonly type: 'application/json' | 'text/event-stream';
  readonly body: string;
}

/** Just enough of one vendor's interface. */
export interface ModelApi {
  /** Whether a request to this path is a turn of a conversation. */
  readonly isTurn: (path: string) => boolean;
  readonly read: (body: unknown) => Conversation;
  readonly reply: (turn: { path: string; body: unknown; call: ModelCall | undefined }) => Reply;
  /** Replies to other requests that clients make. */
  readonly other?: (path: string) => Reply | undefined;
}

export const FINAL_WORDS = 'Done.';

export function json(value: unknown): Reply {
  return { type: 'application/json', body: JSON.stringify(value) };
}

/** Server-sent events, each with its name where the vendor names them. */
export function events(list: readonly { readonly event?: string; readonly data: unknown }[]): Reply {
  const frames = list.map(
    ({ event, data }) => `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`,
  );
  return { type: 'text/event-stream', body: frames.join('') };
}
