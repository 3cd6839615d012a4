import type { Caller } from '../contract/caller.ts';
import type { Answer, Call, Engine } from '../contract/engine.ts';
import { PinholeError, systemCode } from '../contract/errors.ts';
import type { RawInput } from '../contract/input.ts';
import { inputTooLarge } from '../contract/input-limits.ts';
import { callOwner } from './http-client.ts';
import { type LocalApp, type LocalEngine, localEngine } from './local-engine.ts';
import type { OwnerRecord } from './owner-file.ts';

const PATIENCE_MS = 5_000;
/** Nobody was there, or nobody to trust: nothing was sent. */
const UNSENT: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTDIR', 'EACCES']);

interface RemoteOptions {
  readonly operations: readonly { readonly name: string; readonly readOnly: boolean }[];
  /** Finds the owner, or starts one. */
  readonly connect: () => Promise<OwnerRecord>;
  /** Opens everything in this process, for when no owner can be had. */
  readonly openHere: () => Promise<LocalApp>;
  /** Hears why. */
  readonly note: (reason: string) => void;
}

export interface RemoteEngine extends Engine {
  /** Closes what was opened in this process; with `finish`, once the work that was begun there is done. */
  close(finish?: boolean): Promise<void>;
}

/** The engine of thin processes: asks the owner, and once more when that one has just died. */
export function remoteEngine(options: RemoteOptions): RemoteEngine {
  const readOnly = new Set(
    options.operations.filter((operation) => operation.readOnly).map(({ name }) => name),
  );
  let owner: Promise<OwnerRecord> | undefined;
  let local: LocalEngine | undefined;
  let noted: string | undefined;

  /** The owner, or undefined when everything is done in this process. */
  async function reached(): Promise<OwnerRecord | undefined> {
    if (local?.isOpen()) return undefined;
    try {
      owner ??= options.connect();
      return await owner;
    } catch (error) {
      owner = undefined;
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== noted) options.note(reason);
      noted = reason;
      local ??= localEngine(options.openHere);
      return undefined;
    }
  }

  async function run(operation: string, input: RawInput, call: Call): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      const there = await reached();
      if (there === undefined) {
        local ??= localEngine(options.openHere);
        return local.run(operation, input, call);
      }
      // Sent once only, so make sure first that somebody is there to do it.
      if (!readOnly.has(operation) && attempt < 2 && !(await answers(there))) {
        owner = undefined;
        continue;
      }
      try {
        const body = { operation, input, caller: call.caller };
        const reply = await callOwner(there, 'POST', '/internal/run', body, { signal: call.signal });
        if (reply.status === 200) return JSON.parse(reply.body) as Answer;
        throw new Error(`the owner process answered ${reply.status}`);
      } catch (error) {
        owner = undefined;
        if (call.signal?.aborted) return lost('The caller cancelled this call.', call.caller);
        if (attempt >= 2 || !(UNSENT.has(systemCode(error)) || readOnly.has(operation))) {
          return lost(
            'The background process ended during this call; it starts again with the next one. The call may have taken effect: check before you repeat it.',
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

function answers(owner: OwnerRecord): Promise<boolean> {
  return callOwner(owner, 'GET', '/internal/hello', undefined, { timeoutMs: PATIENCE_MS }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

function lost(message: string, caller: Caller): Answer {
  return failed(new PinholeError('internal_error', message, { retryable: true }), caller);
}

/** Written here, without the renderer: the bridge stays small. */
function failed(problem: PinholeError, caller: Caller): Answer {
  const { error } = problem.toBody();
  const text = caller.door === 'cli' && caller.format === 'text' ? error.message : JSON.stringify({ error });
  const rendered = { text, bytes: Buffer.byteLength(text), tokens: Math.ceil(text.length / 4) };
  return { ok: false, error, rendered };
}
