import type { Caller } from '../contract/caller.ts';
import type { Answer, Call, Engine } from '../contract/engine.ts';
import { errorText, PinholeError, systemCode } from '../contract/errors.ts';
import type { RawInput } from '../contract/input.ts';
import { inputTooLarge } from '../contract/input-limits.ts';
import type { BackgroundRecord } from './background-record.ts';
import { callBackground } from './call-background.ts';
import { type LocalApp, type LocalEngine, localEngine } from './local-engine.ts';

const HELLO_MS = 5_000;
/** Nothing was sent: nobody listens there, or nobody we can trust. */
const UNSENT: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTDIR', 'EACCES']);

interface RemoteOptions {
  readonly operations: readonly { readonly name: string; readonly readOnly: boolean }[];
  /** Finds the background process, or starts it. */
  readonly connect: () => Promise<BackgroundRecord>;
  /** Opens the app in this process, for when no background process can be reached. */
  readonly openHere: () => Promise<LocalApp>;
  /** Gets the reason when calls are answered in this process. */
  readonly onLocal: (reason: string) => void;
}

export interface RemoteEngine extends Engine {
  /** Closes what was opened in this process; with `finish`, only after the work that was started there is done. */
  close(finish?: boolean): Promise<void>;
}

/** The engine of thin processes: passes calls to the background process, and tries again if that one has just died. */
export function remoteEngine(options: RemoteOptions): RemoteEngine {
  const readOnly = new Set(
    options.operations.filter((operation) => operation.readOnly).map(({ name }) => name),
  );
  let background: Promise<BackgroundRecord> | undefined;
  let local: LocalEngine | undefined;
  let lastReason: string | undefined;

  /** The background process, or undefined when calls are answered in this process. */
  async function reach(): Promise<BackgroundRecord | undefined> {
    if (local?.isOpen()) return undefined;
    try {
      background ??= options.connect();
      return await background;
    } catch (error) {
      background = undefined;
      const reason = errorText(error);
      if (reason !== lastReason) options.onLocal(reason);
      lastReason = reason;
      local ??= localEngine(options.openHere);
      return undefined;
    }
  }

  async function run(operation: string, input: RawInput, call: Call): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const reached = await reach();
      if (reached === undefined) {
        local ??= localEngine(options.openHere);
        return local.run(operation, input, call);
      }
      // A change is sent only once, so first make sure that somebody is there to make it.
      if (!readOnly.has(operation) && attempt < 2 && !(await answers(reached))) {
        background = undefined;
        continue;
      }
      try {
        const body = { operation, input, caller: call.caller };
        const reply = await callBackground(reached, 'POST', '/internal/run', body, { signal: call.signal });
        if (reply.status === 200) return JSON.parse(reply.body) as Answer;
        throw new Error(`The background process answered ${reply.status}.`);
      } catch (error) {
        background = undefined;
        if (call.signal?.aborted) return lost('The caller cancelled this call.', call.caller);
        if (attempt >= 2 || !(UNSENT.has(systemCode(error)) || readOnly.has(operation))) {
          return lost(
            'The background process ended during this call; the next call starts it again. This call may have taken effect: check before you repeat it.',
            call.caller,
          );
        }
      }
    }
  }

  return {
    async run(operation, input, call) {
      const refused = inputTooLarge(input);
      return refused ? failed(refused, call.caller) : run(operation, input, call);
    },
    close: async (finish = false) => local?.close(finish),
  };
}

function answers(background: BackgroundRecord): Promise<boolean> {
  return callBackground(background, 'GET', '/internal/hello', undefined, { timeoutMs: HELLO_MS }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

function lost(message: string, caller: Caller): Answer {
  return failed(new PinholeError('internal_error', message, { retryable: true }), caller);
}

/** Rendered here, without the engine's renderer, to keep `pinhole mcp` small. */
function failed(problem: PinholeError, caller: Caller): Answer {
  const { error } = problem.toBody();
  const { door, format } = caller;
  const asText = door === 'mcp' ? `${error.code}: ${error.message}` : error.message;
  const isText = format === 'text' && (door === 'cli' || door === 'mcp');
  const text = isText ? asText : JSON.stringify({ error });
  const rendered = { text, bytes: Buffer.byteLength(text), tokens: Math.ceil(text.length / 4) };
  return { ok: false, error, rendered };
}
