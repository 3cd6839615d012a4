import type { Caller } from '../contract/caller.ts';
import type { Answer, Engine } from '../contract/engine.ts';
import { PinholeError, systemCode } from '../contract/errors.ts';
import { callOwner } from './http-client.ts';
import type { OwnerRecord } from './owner-file.ts';

const PATIENCE_MS = 5_000;
/** Nobody was there, or nobody to trust: nothing was sent. */
const UNSENT: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTDIR', 'EACCES']);

interface RemoteOptions {
  readonly operations: readonly { readonly name: string; readonly readOnly: boolean }[];
  /** Finds the owner, or starts one. */
  readonly connect: () => Promise<OwnerRecord>;
  /** Runs in this process when no owner can be had. */
  readonly fallback: () => Promise<Engine>;
}

/** The engine of thin processes: asks the owner, and once more when that one has just died. */
export function remoteEngine(options: RemoteOptions): Engine {
  const readOnly = new Set(
    options.operations.filter((operation) => operation.readOnly).map(({ name }) => name),
  );
  let owner: Promise<OwnerRecord> | undefined;
  let local: Promise<Engine> | undefined;

  return {
    async run(operation, input, call) {
      for (let attempt = 0; ; attempt++) {
        if (local !== undefined) return (await local).run(operation, input, call);
        owner ??= options.connect();
        const reached = await owner.catch(() => undefined);
        if (reached === undefined) {
          local = options.fallback();
          continue;
        }
        // Sent once only, so make sure first that somebody is there to do it.
        if (!readOnly.has(operation) && attempt < 2 && !(await answers(reached))) {
          owner = undefined;
          continue;
        }
        try {
          const body = { operation, input, caller: call.caller };
          const reply = await callOwner(reached, 'POST', '/internal/run', body, { signal: call.signal });
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
    },
  };
}

function answers(owner: OwnerRecord): Promise<boolean> {
  return callOwner(owner, 'GET', '/internal/hello', undefined, { timeoutMs: PATIENCE_MS }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Written here, without the renderer: the bridge stays small. */
function lost(message: string, caller: Caller): Answer {
  const { error } = new PinholeError('internal_error', message, { retryable: true }).toBody();
  const text = caller.door === 'cli' && caller.format === 'text' ? message : JSON.stringify({ error });
  const rendered = { text, bytes: Buffer.byteLength(text), tokens: Math.ceil(text.length / 4) };
  return { ok: false, error, rendered };
}
