import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { errorText, PinholeError } from '../contract/errors.ts';
import { compare, fingerprint } from '../sessions/ingest/fingerprint.ts';
import { providerWith } from '../sessions/providers/index.ts';
import {
  findLogs,
  type LogFile,
  type LogFolder,
  logAt,
  storedLogsAt,
} from '../sessions/providers/log-files.ts';
import type { Provider, SideFacts } from '../sessions/providers/provider.ts';
import { formatOf, isAppendOnly } from '../sessions/read/source.ts';
import type { CollectAnswer, CollectMessage } from './collect-message.ts';
import type { Position, Positions } from './collect-positions.ts';
import { type Aside, messagesOf, type Sender } from './log-messages.ts';

export interface CollectorDeps {
  readonly providers: readonly Provider[];
  readonly folders: readonly LogFolder[];
  readonly positions: Positions;
  readonly sender: Sender;
  readonly send: (message: CollectMessage) => Promise<CollectAnswer>;
  readonly now?: () => number;
  /** Receives a line about each log that could not be sent. */
  readonly log: (line: string) => void;
}

export interface Sent {
  readonly logs: number;
  readonly records: number;
  readonly failed: number;
}

/** How often the server and this machine may disagree about a log before it is postponed. */
const MAX_RESTARTS = 5;
const MAX_TITLE_LENGTH = 400;

/** Sends what is new in the logs of this machine. The logs themselves are the queue: only positions are stored. */
export function createCollector(deps: CollectorDeps) {
  const { providers, folders, positions, sender, send, now = Date.now, log: report } = deps;

  let facts = new Map<string, SideFacts>();
  const aside: Aside = (name, id) => {
    const provider = providerWith(providers, name);
    if (provider?.sideFacts === undefined || id === undefined) return {};
    const own = folders.filter((folder) => folder.provider === name).map(({ path }) => path);
    const known = facts.get(name) ?? provider.sideFacts(own, () => {});
    facts.set(name, known);
    const [title, startedBy] = [known.titles.get(id)?.slice(0, MAX_TITLE_LENGTH), known.parents.get(id)];
    return { ...(title && { title }), ...(startedBy && { startedBy }) };
  };

  async function collectAll(logs: readonly LogFile[]): Promise<Sent> {
    facts = new Map();
    let [sent, records, failed] = [0, 0, 0];
    for (const log of newestFirst(logs)) {
      try {
        const added = await collectLog(log);
        if (added !== undefined) {
          sent++;
          records += added;
        }
      } catch (error) {
        // One log that is refused or gone does not stop the others; a server that refuses everything does.
        if (!isGone(error) && !(error instanceof PinholeError && error.code === 'invalid_parameter'))
          throw error;
        failed++;
        report(`${log.path}: ${errorText(error)}`);
      }
    }
    return { logs: sent, records, failed };
  }

  /** Sends one log; returns how many records were new, or undefined if nothing changed. */
  async function collectLog(log: LogFile): Promise<number | undefined> {
    const provider = providerWith(providers, log.provider);
    if (provider === undefined) return undefined;
    let added: number | undefined;
    for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
      const known = await positions.of(log.path);
      const change =
        known === undefined ? 'rewritten' : compare(log, known, isAppendOnly(log.path), provider.store);
      if (change === 'same') return added;
      const { done, records } = await sendFrom(log, provider, change === 'grown' ? known : undefined);
      added = (added ?? 0) + records;
      if (done) return added;
    }
    throw new PinholeError('invalid_parameter', 'the server and this machine do not agree on the position');
  }

  async function sendFrom(
    log: LogFile,
    provider: Provider,
    resumed: Position | undefined,
  ): Promise<{ readonly done: boolean; readonly records: number }> {
    // Taken before reading, so that what is appended meanwhile makes it look changed the next time.
    const before = fingerprint(log, 0, provider.store);
    const run = resumed?.run ?? randomUUID();
    let records = 0;
    const start = { run, from: resumed?.consumed ?? 0, cwd: resumed?.cwd, now, aside };
    for (const { message, cwd, last } of messagesOf(log, provider, sender, start)) {
      const answer = await send(message);
      if (answer.run !== run) {
        // The server has another run of the log, or none.
        await positions.forget(log.path);
        return { done: false, records };
      }
      const agreed = answer.consumed === message.to;
      if (answer.added > 0) records += answer.added;
      await positions.save(log.path, {
        ...fingerprint(log, answer.consumed, provider.store),
        ...(agreed && last
          ? { size: before.size, mtime: before.mtime }
          : { size: UNFINISHED, mtime: UNFINISHED }),
        run,
        consumed: answer.consumed,
        cwd,
      });
      if (!agreed) return { done: false, records };
    }
    return { done: true, records };
  }

  return {
    all: (): Promise<Sent> => collectAll(findLogs(providers, folders)),
    /** Sends what is new in these logs. */
    these: (logs: readonly LogFile[]): Promise<Sent> => collectAll(logs),
    /** Sends what is new in the logs that some changed paths belong to. */
    async at(paths: readonly string[]): Promise<Sent> {
      const logs = new Map<string, LogFile>();
      for (const path of paths) {
        const log = logAt(providers, folders, path);
        const found = log === undefined ? storedLogsAt(providers, folders, path, () => {}) : [log];
        for (const one of found) logs.set(one.path, one);
      }
      return collectAll([...logs.values()]);
    },
  };
}

/** Stored as the size of a log that was not sent completely: no log has it, so the log looks grown. */
const UNFINISHED = 0;

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ELOOP');
}

/** People ask about what they have just done. */
function newestFirst(logs: readonly LogFile[]): readonly LogFile[] {
  const timeOf = ({ stamp, path }: LogFile) =>
    stamp?.mtimeMs ??
    (formatOf(path) === 'stored' ? 0 : (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  return logs
    .map((log) => ({ log, time: timeOf(log) }))
    .sort((a, b) => b.time - a.time)
    .map(({ log }) => log);
}
