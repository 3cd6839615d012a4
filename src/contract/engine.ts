import { randomBytes } from 'node:crypto';
import { unlessStopped, withTimeLimit } from './abort.ts';
import { type AgentFolders, createAgentFolders } from './agent-folders.ts';
import { answerPage, answerSingle, type Written } from './answer.ts';
import type { AuditLog } from './audit-log.ts';
import { byteLength, toJson } from './bytes.ts';
import { glanceOf } from './call-glance.ts';
import { callWords } from './call-words.ts';
import { answerBudget, type Caller, isPerson } from './caller.ts';
import { continueFrom, rowsBefore } from './continuation.ts';
import type { CursorStore } from './cursor.ts';
import type { Envelope } from './envelope.ts';
import { type ErrorBody, fail, fromSystem, type MessageParts, PinholeError } from './errors.ts';
import { parseInput, type RawInput, withinPage, withKnownNames } from './input.ts';
import { inputTooLarge } from './input-limits.ts';
import { accessOf, type CallContext, type Operation, type Page, type TextStyle } from './operation.ts';
import { painter } from './painted-text.ts';
import { createRateLimit, type RateLeft, type TakeTurn } from './rate.ts';
import { redactDeep } from './redact.ts';
import { type ErrorRendering, type Rendered, type Rendering, renderError } from './render.ts';
import type { ResultSets } from './result-sets.ts';
import { createRoots } from './roots.ts';
import { ownZone, zoneNamed } from './zone.ts';

export interface Call {
  readonly caller: Caller;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What an operation answers: a value. `rendered` is the same answer in the words of the caller's door, within its
 * budget; it was written to measure the page, so nobody writes it twice and nobody reads it back.
 */
export type Answer<Data = unknown> = {
  readonly rendered: Rendered;
  /** Calls of this operation that the caller has left; absent where the call was not counted. */
  readonly rate?: RateLeft | undefined;
} & (
  | { readonly ok: true; readonly envelope: Envelope<Data> }
  | {
      readonly ok: false;
      readonly error: ErrorBody['error'];
      /** Its message where that names inputs, for doors at which they have other names. */
      readonly parts?: MessageParts | undefined;
    }
);

/** Runs operations: in this process, or by asking the process that owns the data. */
export interface Engine {
  run(operation: string, input: RawInput, call: Call): Promise<Answer>;
}

export interface EngineDeps<Services> {
  readonly operations: readonly Operation<Services>[];
  readonly services: Services;
  /** The services for a caller who sees only the sessions of these folders. */
  readonly within?: (folders: readonly string[]) => Promise<Services>;
  /** The input with names that depend on who asks replaced by what they stand for. */
  readonly inputFor?: (
    operation: string,
    input: RawInput,
    caller: Caller,
    services: Services,
  ) => Promise<RawInput>;
  readonly cursors: CursorStore;
  readonly results: ResultSets;
  readonly audit: AuditLog;
  /** Counts calls; shared with what is not an operation and yet counts. */
  readonly takeTurn?: TakeTurn;
  /** Folders that the user allowed permanently, and mirrors that the caller sees. */
  readonly allowed: (caller: Pick<Caller, 'sees'>) => Promise<readonly string[]>;
  /** Where folders that agents bring are noted, for the page. */
  readonly agentFolders?: AgentFolders;
  /** Where links lead; empty where no server is. */
  readonly baseUrl: () => string;
  /** How this call wants numbers written; asked after it has run, since it may be what changes that. */
  readonly style?: (caller: Caller, input: RawInput) => Promise<Partial<TextStyle>>;
  readonly log: (line: string) => void;
  readonly now?: () => number;
  readonly timeoutMs?: number;
}

export const TIMEOUT_MS = 30_000;

/** More than any list has. A number that the database takes for one. */
const WHOLE_ROWS = 10_000_000;

/** The engine that has the data. Every operation passes here, so nothing leaves without the contract. */
export function createEngine<Services extends object>(deps: EngineDeps<Services>): Engine {
  const now = deps.now ?? Date.now;
  const byName = new Map(deps.operations.map((operation) => [operation.name, operation]));
  const takeTurn = deps.takeTurn ?? createRateLimit(now);
  const agentFolders = deps.agentFolders ?? createAgentFolders();

  const declared = (name: string) => byName.get(name);

  async function answer(
    name: string,
    raw: RawInput,
    call: Call,
    counted: (left: RateLeft) => void,
  ): Promise<Written> {
    const started = now();
    const operation = byName.get(name);
    if (operation === undefined) fail('invalid_parameter', `There is no operation '${name.slice(0, 40)}'.`);
    const { caller } = call;
    const { terminal } = caller;
    counted(takeTurn(name, caller.limitedWith ?? caller.id, operation.perMinute));
    const given = withKnownNames(operation, raw);
    const named = caller.door === 'mcp' ? withinPage(operation, given) : given;
    refuseCaller(operation, caller, named);
    const allowed = await deps.allowed(caller);
    const own = [...allowed, ...caller.roots];
    const scope = scopeOf(caller, allowed);
    if (caller.door === 'mcp') agentFolders.note(caller.roots);
    // To look at, never to change: for that a person allows the folder first.
    const looks = operation.readOnly || operation.linked === true;
    const folders = caller.door === 'page' && looks ? [...own, ...agentFolders.list()] : own;
    const point = await continueFrom(operation, named, deps, { folders, scope, door: caller.door });
    const input = parseInput(operation, point.input);
    const most = caller.whole ? WHOLE_ROWS : Number.MAX_SAFE_INTEGER;
    const limit = typeof input.limit === 'number' && !caller.whole ? input.limit : most;
    const base = caller.origin ?? deps.baseUrl();
    const url = (path: string) => base + path;
    const zone = zoneNamed(caller.zone ?? '') ?? ownZone();
    const common = {
      operation,
      input: point.input,
      caller,
      limit,
      now,
      cursors: deps.cursors,
      results: deps.results,
      served: base !== '',
      url,
    };
    const rendering = async (): Promise<Rendering> => {
      const style = caller.format === 'text' ? await deps.style?.(caller, input) : undefined;
      return {
        ...renderingFor(caller, declared),
        style: { units: 'si', now: now(), zone, terminal, paint: painter(terminal), ...style },
      };
    };

    const timeoutMs = caller.timeoutMs ?? operation.timeoutMs ?? deps.timeoutMs ?? TIMEOUT_MS;
    return withTimeLimit(call.signal, timeoutMs, async (signal) => {
      if (point.set !== undefined) {
        if (caller.explain) fail('invalid_parameter', 'A cursor has no plan; explain the first page.');
        const { page } = point.set;
        return answerPage({
          ...common,
          rendering: await rendering(),
          signal,
          page,
          set: point.set,
          offset: point.offset,
          first: point.offset === 0,
          ms: () => now() - started,
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
        budget: answerBudget(caller, operation, limit),
        limit,
        limitGiven: caller.whole === true || typeof point.input.limit === 'number',
        now,
        zone,
        url,
      };
      const services = scope && deps.within ? await deps.within(scope) : deps.services;
      const meant = (await deps.inputFor?.(name, input, caller, services)) ?? input;
      const answered = await unlessStopped(
        signal,
        Promise.resolve(operation.run(meant, { ...services, ...ctx })),
      );
      // Otherwise somebody who misses a session would look for it in vain.
      const hides =
        scope !== undefined && (operation.toolset === 'sessions' || operation.toolset === 'legacy');
      const result = hides ? { ...answered, meta: { ...answered.meta, sessions: 'project' } } : answered;
      if (result.explain !== undefined && operation.explains !== true)
        throw new Error(`${name} has a plan and does not declare it`);
      if (caller.explain) {
        if (!result.explain) fail('invalid_parameter', 'There is no plan behind this answer.');
        return answerSingle(
          { ...common, rendering: await rendering() },
          { kind: 'single', data: result.explain() },
        );
      }
      const written = { ...common, rendering: await rendering() };
      if (result.kind === 'single') return answerSingle(written, result);
      // The page brings its own rows; see page() in operation.ts.
      const page = result as unknown as Page<unknown, unknown>;
      const set = page.keep ? deps.results.open(name, point.input, page, folders, scope) : undefined;
      const offset = set && point.afterRow ? await rowsBefore(set, point.afterRow, name) : 0;
      return answerPage({
        ...written,
        signal,
        page,
        set,
        offset,
        first: point.after === undefined && offset === 0,
      });
    });
  }

  return {
    async run(name, raw, call) {
      const started = now();
      const refused = inputTooLarge(raw);
      let rate: RateLeft | undefined;
      const counted = (left: RateLeft) => {
        rate = left;
      };
      const answered = await (refused ? Promise.reject(refused) : answer(name, raw, call, counted)).then(
        (written): Answer => ({ ok: true, ...written, rate }),
        (error: unknown): Answer => ({ ...failure(error, call.caller, deps.log, declared), rate }),
      );
      const entry = {
        at: started,
        client: call.caller.client,
        door: call.caller.door,
        operation: byName.has(name) ? name : 'unknown',
        // What is too large or too deep is not even counted.
        bytes_in: refused ? 0 : byteLength(toJson(raw)),
        bytes_out: answered.rendered.bytes,
        tokens: answered.rendered.tokens,
        ms: now() - started,
        outcome: answered.ok ? 'ok' : call.signal?.aborted ? 'cancelled' : answered.error.code,
        paged: raw.cursor !== undefined,
      } as const;
      deps.audit.record(entry, refused || isPerson(call.caller) ? undefined : glanceOf(raw, answered));
      return answered;
    },
  };
}

/** Without input, an operation that is not for everybody only shows a state. */
function refuseCaller(operation: Operation<never>, caller: Caller, input: RawInput): void {
  if (Object.keys(input).length === 0) return;
  const access = accessOf(operation);
  if (access === 'person' && !isPerson(caller))
    fail('forbidden', 'Only a person can do this, on the page or at a terminal.');
  if (access !== 'reader' && caller.reader) fail('forbidden', 'A team token can only read what was allowed.');
}

/** The answer for a failure: the caller's own mistakes in words, ours under an id that only the log explains. */
export function failure(
  error: unknown,
  caller: Pick<Caller, 'door' | 'format' | 'budget' | 'tools'>,
  log: (line: string) => void,
  declared: ErrorRendering['declared'] = () => undefined,
): Answer & { readonly ok: false } {
  const known = error instanceof PinholeError ? error : (fromSystem(error) ?? internal(error, log));
  const body = redactDeep(known.toBody());
  return {
    ok: false,
    error: body.error,
    parts: redactDeep(known.parts),
    rendered: renderError(body, renderingFor(caller, declared), caller.budget),
  };
}

function renderingFor(
  { door, format, tools }: Pick<Caller, 'door' | 'format' | 'tools'>,
  declared: ErrorRendering['declared'],
): ErrorRendering {
  return { door, format, tools, declared, words: callWords(door, declared) };
}

function internal(error: unknown, log: (line: string) => void): PinholeError {
  const id = randomBytes(4).toString('hex');
  log(`internal error ${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return new PinholeError(
    'internal_error',
    `Pinhole failed on this call. The log has the details under ${id} (pinhole logs).`,
    {
      cause: error,
    },
  );
}

/** The folders or projects whose sessions a caller sees; all if undefined. */
function scopeOf({ sees, reader, sessions, roots }: Caller, allowed: readonly string[]) {
  if (sees !== undefined) return sees === 'all' ? undefined : sees;
  return reader ? allowed : sessions === 'project' ? roots : undefined;
}
