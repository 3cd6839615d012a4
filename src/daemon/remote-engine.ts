import type { Answer, Engine } from '../contract/engine.ts';
import { PinholeError } from '../contract/errors.ts';
import { inputTooLarge } from '../contract/input-limits.ts';
import { callOwner } from './http-client.ts';
import type { OwnerRecord } from './owner-file.ts';

const PATIENCE_MS = 5_000;

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
      const refused = inputTooLarge(input);
      if (refused) return failed(refused);
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
          if (call.signal?.aborted) return lost('The caller cancelled this call.');
          const unsent = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
          if (attempt >= 2 || !(unsent || readOnly.has(operation))) {
            return lost(
              'The background process ended during this call; it starts again with the next one. Check what was done, then repeat.',
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

function lost(message: string): Answer {
  return failed(new PinholeError('internal_error', message, { retryable: true }));
}

function failed(error: PinholeError): Answer {
  const text = JSON.stringify(error.toBody());
  return {
    ok: false,
    code: error.code,
    text,
    bytes: Buffer.byteLength(text),
    tokens: Math.ceil(text.length / 4),
  };
}
