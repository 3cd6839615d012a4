import type { Database, SqlValue } from '../../store/database.ts';
import type { Assembler } from '../model/assembler.ts';
import { EVENT_TYPES } from '../model/event.ts';
import { type EventRow, keyActions, outcomeOf, type TurnRow } from '../model/event-rows.ts';
import type { Gathered } from '../model/gathered.ts';
import { shownLabel } from '../model/tool-calls.ts';
import type { LogFile } from '../providers/log-files.ts';
import type { Provider } from '../providers/provider.ts';
import { packedBlock, writeBlocks } from './block-rows.ts';
import { type Block, BlockBuilder, SEPARATOR, unpackBody, unpackMarks } from './blocks.ts';
import { writeOutcomes } from './call-outcomes.ts';
import { mapRows, writeCalls, writeTouches } from './call-rows.ts';
import { linkNested } from './nesting.ts';
import { isWorktree, type RepoPath, repoPathOf } from './repo-path.ts';
import { rowsWith } from './rows-with.ts';
import { clearSession, type FileMark, sessionOfFile, upsertFile, upsertSession } from './session-rows.ts';
import { assignUsage, writeUsage } from './usage-rows.ts';
import { callAsInRepository, knownWorktrees } from './worktree-paths.ts';

/** Writes what was read from one log. A flush, including the position in the file, is one transaction. */
export class SessionWriter {
  readonly db: Database;
  key: number | undefined;
  readonly #file: LogFile;
  readonly #provider: Provider;
  readonly #redact: (text: string) => string;
  readonly #labels = new Map<string, number>();
  #blocks: Block[] = [];
  #builder: BlockBuilder;
  /** The stored block that the builder continues and will replace. */
  #resumedBlock: number | undefined;
  #clearFirst = false;

  constructor(
    db: Database,
    file: LogFile,
    key: number | undefined,
    { provider, redact }: { readonly provider: Provider; readonly redact: (text: string) => string },
  ) {
    this.db = db;
    this.key = key;
    this.#file = file;
    this.#provider = provider;
    this.#redact = redact;
    this.#builder = new BlockBuilder(redact, (block) => this.#blocks.push(block));
  }

  /** Continues the unfinished block of a log that grew; a log that is read again is cleared with the first flush. */
  async open(resumed: boolean): Promise<void> {
    this.#clearFirst = !resumed && this.key !== undefined;
    if (!resumed || this.key === undefined) return;
    const row = await this.db.get(
      `SELECT b.id, b.min_ms, b.max_ms, b.size, t.marks, t.body FROM blocks b JOIN bodies t ON t.block = b.id
       WHERE b.session = ? AND b.unfinished = 1 ORDER BY b.id DESC LIMIT 1`,
      this.key,
    );
    if (row === undefined || !(row.body instanceof Uint8Array)) return;
    const texts = unpackBody(row.body).split(SEPARATOR);
    const entries = unpackMarks(String(row.marks)).map((mark, index) => ({
      ...mark,
      text: texts[index] ?? '',
    }));
    this.#builder.resume({
      entries,
      minMs: Number(row.min_ms),
      maxMs: Number(row.max_ms),
      size: Number(row.size),
      unfinished: true,
    });
    this.#resumedBlock = Number(row.id);
  }

  /** Returns the session's key; undefined if another thread read the log in the meantime and nothing was written. */
  async flush(assembler: Assembler, id: string, mark: FileMark, last: boolean): Promise<number | undefined> {
    const gathered = assembler.take();
    for (const event of gathered.events) {
      if (event.search !== '') this.#builder.add(event.index, event.type, event.search, event.ms);
    }
    for (const { event } of gathered.moved) this.#builder.isPrompt(event);
    if (last) this.#builder.finish();
    const blocks = this.#blocks;
    this.#blocks = [];
    const packed = blocks.map(packedBlock);
    const key = await this.db.transaction(async (tx) => {
      if (this.key === undefined && (await sessionOfFile(tx, this.#file.path)) !== undefined)
        return undefined;
      if (this.#clearFirst && this.key !== undefined) await clearSession(tx, this.key);
      const session = await upsertSession(tx, this.key, id, this.#file, assembler.state);
      await upsertFile(tx, this.#file, session, mark, this.#clearFirst);
      await this.#writeRows(tx, session, gathered, assembler.state.facts.cwd);
      if (this.#resumedBlock !== undefined && packed.length > 0) {
        await tx.run('DELETE FROM grams WHERE rowid = ?', this.#resumedBlock);
        await tx.run('DELETE FROM bodies WHERE block = ?', this.#resumedBlock);
        await tx.run('DELETE FROM blocks WHERE id = ?', this.#resumedBlock);
        this.#resumedBlock = undefined;
      }
      await writeBlocks(tx, session, packed);
      const { relation, parentId } = assembler.state.facts;
      if (this.#provider.flatSubagents === true && relation === 'subagent' && parentId !== undefined)
        await linkNested(tx, session, parentId, gathered.tools);
      await writeUsage(tx, session, gathered.usage);
      await assignUsage(tx, session, gathered.usage, assembler.state.facts.clientUsage);
      return session;
    });
    this.#clearFirst = false;
    this.key = key;
    return key;
  }

  async #writeRows(
    tx: Database,
    session: number,
    gathered: Gathered,
    cwd: string | undefined,
  ): Promise<void> {
    for (const { event, turn } of gathered.moved) {
      await tx.run(
        'UPDATE events SET turn = ?, step = -1 WHERE session = ? AND idx >= ?',
        turn,
        session,
        event,
      );
      await tx.run(
        `UPDATE events SET type = ${EVENT_TYPES.indexOf('user')} WHERE session = ? AND idx = ?`,
        session,
        event,
      );
    }
    await this.#learnLabels(tx, gathered.events);
    await tx.batch(
      'INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      mapRows(gathered.events, (event) => this.#eventRow(session, event)),
    );
    for (const { event, row } of gathered.paired) {
      await tx.run(
        'UPDATE events SET call = ?, turn = ?, step = ?, name = ?, status = ? WHERE session = ? AND idx = ?',
        ...[row.call, row.turn, row.step, row.name, row.status, session, event],
      );
    }
    await tx.batch(
      'INSERT OR REPLACE INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      mapRows(gathered.turns, (turn) => turnRow(session, turn)),
    );
    for (const { from, to } of gathered.rewound) {
      await tx.run(
        'UPDATE turns SET rewound = 1 WHERE session = ? AND idx BETWEEN ? AND ?',
        session,
        from,
        to,
      );
    }
    await tx.batch(
      'INSERT OR REPLACE INTO compactions VALUES (?, ?, ?)',
      mapRows(gathered.compacted, ({ event, tokens }) => [session, event, tokens]),
    );
    const placeOf = this.#file.origin?.placeOf ?? (await placesOnDisk(tx, cwd));
    await writeCalls(tx, session, gathered.tools, placeOf);
    await writeOutcomes(tx, session, gathered.tools);
    await writeTouches(tx, session, gathered.touches, placeOf);
  }

  #eventRow(session: number, event: EventRow): readonly SqlValue[] {
    return [
      ...[
        session,
        event.index,
        EVENT_TYPES.indexOf(event.type),
        event.flags,
        this.#labels.get(event.label) ?? 0,
      ],
      ...[
        event.turn,
        event.step,
        event.ms,
        event.offset,
        event.length,
        event.part,
        event.name ?? null,
        event.call,
      ],
      ...[event.status ?? null, event.exitCode ?? null, event.bytes, event.hash],
    ];
  }

  async #learnLabels(tx: Database, events: readonly EventRow[]): Promise<void> {
    const fresh = [...new Set(events.map(({ label }) => label))].filter((label) => !this.#labels.has(label));
    const shown = fresh.map((label) => shownLabel(label, this.#redact));
    const known = await rowsWith(tx, 'SELECT id, label FROM labels WHERE label', shown);
    const ids = new Map(known.map(({ id, label }) => [label, Number(id)]));
    for (const [at, label] of shown.entries()) {
      const id = ids.get(label) ?? (await tx.run('INSERT INTO labels (label) VALUES (?)', label)).id;
      ids.set(label, id);
      this.#labels.set(fresh[at] ?? label, id);
    }
  }
}

/** Maps files to their paths in the repositories on this machine. */
async function placesOnDisk(tx: Database, cwd: string | undefined): Promise<(path: string) => RepoPath> {
  const worktrees = await knownWorktrees(tx);
  if (cwd !== undefined && isWorktree(cwd)) await callAsInRepository(tx, cwd);
  return (path) => repoPathOf(path, cwd, worktrees);
}

function turnRow(session: number, turn: TurnRow): readonly SqlValue[] {
  const tools = JSON.stringify([...turn.tools].sort((a, b) => b[1] - a[1]));
  return [
    ...[session, turn.index, turn.event, turn.startMs, turn.endMs, turn.prompt, outcomeOf(turn), turn.steps],
    ...[turn.calls, turn.failed, tools, JSON.stringify(keyActions(turn)), turn.compactions],
    ...[turn.rewound ? 1 : 0, turn.inherited ? 1 : 0, turn.reply, turn.replyEvent],
  ];
}
