import type { Database } from '../store/database.ts';
import type { SqlDatabase } from '../store/sql-table.ts';
import { sessionAnalysis } from './analyze/session-analysis.ts';
import { type ArchiveSetting, archiveControl } from './archive/archive-setting.ts';
import { forgetSession } from './archive/forget-session.ts';
import type { LogReading } from './log-reading.ts';
import type { Provider } from './providers/provider.ts';
import { recallStore } from './recall/recall-facts.ts';
import { sessionSearch } from './search/session-search.ts';
import { editedFileStore } from './store/edited-files.ts';
import { eventStore, type StoredRecords } from './store/event-store.ts';
import { fileHistory } from './store/file-touches.ts';
import { sessionFinder } from './store/find-session.ts';
import { fixedFailures } from './store/fixed-failures.ts';
import { type RetentionRules, retentionOf } from './store/retention.ts';
import { sessionChanges } from './store/session-changes.ts';
import { sessionList } from './store/session-list.ts';
import type { SessionMarks } from './store/session-marks.ts';
import type { SessionRow } from './store/session-row.ts';
import { stepStore } from './store/step-store.ts';
import { agentRunStore, subagentStore } from './store/subagents.ts';
import { indexedTexts } from './store/texts.ts';
import { turnStore } from './store/turn-store.ts';
import { REFUSED_ARCHIVE } from './team-refusal.ts';
import type { OwnPrices, SetPrices } from './tokens/own-prices.ts';
import type { TokensFirst } from './tokens/tokens-first.ts';
import { usageTotals } from './tokens/totals.ts';
import { usageNow } from './tokens/usage-now.ts';

/** How long a query about tables waits for logs that are being read. */
const MAX_WAIT_MS = 5_000;

/** What the parts of {@link Sessions} are made from. */
interface PartDeps {
  readonly providers: readonly Provider[];
  readonly setting: ArchiveSetting;
  readonly prices: OwnPrices & SetPrices;
  readonly marks: SessionMarks;
  readonly rules: RetentionRules;
  readonly now: () => number;
  /** The index, if it is a file. */
  readonly file: string | undefined;
  /** The records of events, if the logs are not on this machine. */
  readonly records?: StoredRecords | undefined;
  readonly reading: LogReading;
  readonly tokens?: TokensFirst | undefined;
  readonly writable: boolean;
  readonly keepFindings: (signal: AbortSignal) => Promise<void>;
  /** The folders whose sessions the database shows; all if absent. */
  readonly within?: readonly string[] | undefined;
}

export type SessionParts = ReturnType<typeof partsOver>;

/** Everything that operations use, over the whole index or a part of it. */
export function partsOver(
  db: Database,
  {
    providers,
    setting,
    prices,
    marks,
    rules,
    now,
    file,
    records,
    reading,
    tokens,
    writable,
    keepFindings,
    within,
  }: PartDeps,
) {
  const list = sessionList(db, providers);
  const subagents = subagentStore(db, list);
  const agentRuns = agentRunStore(db, subagents);
  const turns = turnStore(db, prices);
  const texts = indexedTexts(db);
  const events = eventStore(db, providers, texts, records);
  const usage = usageTotals(db, providers, prices);
  const files = fileHistory(db, providers, events);
  const analysis = sessionAnalysis({ db, turns, usage, writable });
  return {
    providers,
    list: { ...list, ...sessionFinder(db, reading.busy, within !== undefined), subagents, agentRuns },
    turns: { ...turns, steps: stepStore(db, turns, events, prices) },
    events,
    search: sessionSearch({ db, texts }),
    usage: { ...usage, now: usageNow(usage, reading, tokens) },
    prices,
    marks,
    files: { ...files, edited: editedFileStore(db), changes: sessionChanges(db, events, files) },
    analysis,
    recall: recallStore(db, events),
    failures: fixedFailures(db),
    archive: {
      ...archiveControl(db, setting, reading.scan),
      forget: (session: SessionRow) => forgetSession(db, session, { providers, setting, reading }),
      ...retentionOf(db, rules, now),
      ...(file === undefined && REFUSED_ARCHIVE),
    },
    reading,
    /** What {@link SESSION_TABLES} read, as fresh as possible within a few seconds. */
    async database(signal: AbortSignal, tables?: readonly string[]): Promise<SqlDatabase> {
      const { fresh, done = 0, total = 0 } = await reading.settled(MAX_WAIT_MS);
      signal.throwIfAborted();
      if (tables === undefined || tables.includes('findings')) await keepFindings(signal);
      const share = Math.floor((100 * done) / Math.max(1, total));
      const notes = [
        ...(fresh ? [] : [`${share} % of the session logs are read so far.`]),
        ...(within === undefined ? [] : ['Sessions of other projects are hidden.']),
      ];
      return { file, within, incomplete: notes.length === 0 ? undefined : notes.join(' ') };
    },
  };
}
