import { randomBytes } from 'node:crypto';
import { unlessStopped, withTimeLimit } from './abort.ts';
import { answerPage, answerSingle } from './answer.ts';
import type { AuditLog } from './audit.ts';
import { type BroughtFolders, createBrought } from './brought.ts';
import { byteLength, toJson } from './bytes.ts';
import { type Caller, isPerson } from './caller.ts';
import { continueFrom } from './continuation.ts';
import type { CursorStore } from './cursor.ts';
import type { Rendered } from './envelope.ts';
import { type ErrorCode, fail, fromSystem, PinholeError } from './errors.ts';
import { parseInput, type RawInput, withKnownNames } from './input.ts';
import type { CallContext, Operation, Page, TextStyle } from './operation.ts';
import { createRateLimit, type TakeTurn } from './rate.ts';
import { redactDeep } from './redact.ts';
import { createRepeats } from './repeats.ts';
import type { ResultSets } from './result-sets.ts';
import { createRoots } from './roots.ts';
import { shrink } from './shrink.ts';
import { estimateTokens } from './tokens.ts';

export interface Call {
  readonly caller: Caller;
  readonly signal?: AbortSignal | undefined;
}

/** What a door hands on: the text within the caller's budget, and whether it is an error. */
export interface Answer extends Rendered {
  readonly ok: boolean;
  readonly code?: ErrorCode | undefined;
}

/** Runs operations: in this process, or by asking the process that owns the data. */
export interface Engine {
  run(operation: string, input: RawInput, call: Call): Promise<Answer>;
}

export interface EngineDeps<Services> {
  readonly operations: readonly Operation<Services>[];
  readonly services: Services;
  readonly cursors: CursorStore;
  readonly results: ResultSets;
  readonly audit: AuditLog;
  /** Counts calls; shared with what is not an operation and yet counts. */
  readonly takeTurn?: TakeTurn;
  /** Folders that the user allowed for good. */
  readonly allowed: () => Promise<readonly string[]>;
  /** Where folders that agents bring are noted, for the page. */
  readonly brought?: BroughtFolders;
  readonly baseUrl: () => string;
  /** How the caller, or the shell that it names, wants sizes written. */
  readonly units?: (caller: Caller, shell: string | undefined) => Promise<TextStyle['units'] | undefined>;
  readonly log: (line: string) => void;
  readonly now?: () => number;
  readonly timeoutMs?: number;
}

export const TIMEOUT_MS = 30_000;

/** The engine that has the data. Every operation passes here, so nothing leaves without the contract. */
export function createEngine<Services extends object>(deps: EngineDeps<Services>): Engine {
  const now = deps.now ?? Date.now;
  const byName = new Map(deps.operations.map((operation) => [operation.name, operation]));
  const takeTurn = deps.takeTurn ?? createRateLimit(now);
  const isRepeated = createRepeats(now);
  const brought = deps.brought ?? createBrought();

  async function answer(name: string, raw: RawInput, call: Call): Promise<Rendered> {
    const operation = byName.get(name);
    if (operation === undefined) fail('invalid_parameter', `There is no operation '${name.slice(0, 40)}'.`);
    const { caller } = call;
    takeTurn(name, caller.id, operation.perMinute);
    const named = withKnownNames(operation, raw);
    const own = [...(await deps.allowed()), ...caller.roots];
    if (caller.door === 'mcp') brought.note(caller.roots);
    // To look at, never to change: for that a person allows the folder first.
    const looks = operation.readOnly || operation.linked === true;
    const folders = caller.door === 'page' && looks ? [...own, ...brought.list()] : own;
    const point = await continueFrom(operation, named, deps, { folders, door: caller.door });
    const input = parseInput(operation, point.input);
    const limit = typeof input.limit === 'number' ? input.limit : Number.MAX_SAFE_INTEGER;
    const common = {
      operation,
      input: point.input,
      caller,
      limit,
      now,
      cursors: deps.cursors,
      results: deps.results,
    };
    // Asked for after the run: it may be what changes them.
    const style = async (): Promise<TextStyle> => {
      const shell = typeof input.shell === 'string' ? input.shell : undefined;
      const units = caller.format === 'text' ? await deps.units?.(caller, shell) : undefined;
      return { units: units ?? 'iec', now: now() };
    };

    return withTimeLimit(call.signal, caller.timeoutMs ?? deps.timeoutMs ?? TIMEOUT_MS, async (signal) => {
      if (point.set !== undefined) {
        if (caller.explain) fail('invalid_parameter', 'A cursor has no plan; explain the first page.');
        const { page } = point.set;
        return answerPage({
          ...common,
          style: await style(),
          signal,
          page,
          set: point.set,
          offset: point.offset,
        });
      }
      const ctx: CallContext = {
        signal,
        caller,
        // Who brings no folder of their own starts in the only one there is.
        roots: await createRoots(
          folders,
          caller.cwd ?? (own.length === 1 ? own[0] : undefined),
          isPerson(caller),
        ),
        after: point.after,
        limit,
        limitGiven: typeof point.input.limit === 'number',
        now,
        url: (path) => deps.baseUrl() + path,
      };
      const result = await unlessStopped(
        signal,
        Promise.resolve(operation.run(input, { ...deps.services, ...ctx })),
      );
      if (result.explain !== undefined && operation.explains !== true)
        throw new Error(`${name} has a plan and does not declare it`);
      if (caller.explain) {
        if (!result.explain) fail('invalid_parameter', 'There is no plan behind this answer.');
        return answerSingle({ ...common, style: await style() }, { kind: 'single', data: result.explain() });
      }
      const styled = { ...common, style: await style() };
      if (result.kind === 'single') return answerSingle(styled, result);
      // The page brings its own rows; see page() in operation.ts.
      const page = result as unknown as Page<unknown, unknown>;
      const set = page.keep ? deps.results.open(name, point.input, page, folders) : undefined;
      return answerPage({ ...styled, signal, page, set, offset: 0 });
    });
  }

  return {
    async run(name, raw, call) {
      const started = now();
      const answered = await answer(name, raw, call).then(
        (rendered): Answer => ({ ...rendered, ok: true }),
        (error: unknown) => errorAnswer(error, call.caller.budget, deps.log),
      );
      const question = toJson(raw);
      deps.audit.record({
        at: started,
        client: call.caller.client,
        caller: call.caller.id,
        door: call.caller.door,
        operation: byName.has(name) ? name : 'unknown',
        bytes_in: byteLength(question),
        bytes_out: answered.bytes,
        tokens: answered.tokens,
        ms: now() - started,
        outcome: answered.code ?? 'ok',
        paged: raw.cursor !== undefined,
        repeated: isRepeated(name, call.caller.id, question),
      });
      return answered;
    },
  };
}

/** The answer for a failure: the caller's own mistakes in words, ours under an id that only the log explains. */
export function errorAnswer(error: unknown, budget: number, log: (line: string) => void): Answer {
  const known = error instanceof PinholeError ? error : (fromSystem(error) ?? internal(error, log));
  const body = redactDeep(known.toBody());
  const text = toJson(shrink(body, (candidate) => byteLength(toJson(candidate)) - budget));
  return { ok: false, code: known.code, text, bytes: byteLength(text), tokens: estimateTokens(text) };
}

function internal(error: unknown, log: (line: string) => void): PinholeError {
  const id = randomBytes(4).toString('hex');
  log(`internal error ${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return new PinholeError(
    'internal_error',
    `Pinhole failed on this call; the log has it under ${id} (pinhole logs).`,
    {
      cause: error,
    },
  );
}
