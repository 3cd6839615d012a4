import { STATUS_CODES } from 'node:http';
import { getSystemErrorMap } from 'node:util';
import { chooseFixes } from '../src/commits/fixes/choose-fixes.ts';
import { fixingEdits } from '../src/commits/fixes/fixing-edits.ts';
import { askedError } from '../src/commits/fixes/rank-fixes.ts';
import { errorClass } from '../src/sessions/model/call-errors.ts';
import type { Sessions } from '../src/sessions/sessions.ts';
import type { FixedFailure } from '../src/sessions/store/fixed-failures.ts';
import type { SessionRow } from '../src/sessions/store/session-row.ts';
import type { Database } from '../src/store/database.ts';
import { FIX_KINDS } from './fix-kinds.ts';

export interface FixReplay {
  /** Errors that another session also had and fixed, and those of them that name nothing specific: `FAIL`, a package. */
  recurring: number;
  vague: number;
  /** Answers to the vague ones. */
  vagueAnswers: number;
  /** The first answer is the same error in another session. */
  hits: number;
  /** Hits where both fixes have edits, and those of them where the first answer edits one of the same files. */
  withEdits: number;
  sameFile: number;
  /** The first edit shown changes the place that the earlier error names, or contains its words. */
  toThePoint: number;
  /** Both fixes were labelled by hand; they are of the same kind; there is an earlier fix of that kind at all. */
  labelled: number;
  sameKind: number;
  possible: number;
  /** Errors of a class that no other session had, and answers to them. */
  unseen: number;
  unseenAnswers: number;
}

/** Asks about each error, leaving out its own session. */
export async function replayErrors(
  db: Database,
  sessions: Sessions,
  isWanted: (session: SessionRow) => boolean,
): Promise<FixReplay> {
  const sums: FixReplay = {
    ...{ recurring: 0, vague: 0, vagueAnswers: 0, hits: 0, withEdits: 0, sameFile: 0 },
    ...{ toThePoint: 0, labelled: 0, sameKind: 0, possible: 0 },
    unseen: 0,
    unseenAnswers: 0,
  };
  for (const session of await sessions.list.page({ subagents: true }, undefined, 100_000)) {
    if (!isWanted(session)) continue;
    const rows = await db.all(
      `SELECT call, result, error, error_class FROM tools WHERE session = ? AND error IS NOT NULL AND error_class IS NOT NULL
         AND result >= 0 AND (status = 'failed' OR check_failed = 1) GROUP BY error ORDER BY call`,
      session.key,
    );
    for (const row of rows) await replayOne(sessions, session, row, sums);
  }
  for (const text of foreignErrors()) await askUnseen(sessions, text, sums);
  return sums;
}

/** Errors from the operating system and from web servers, as programs print them. */
function* foreignErrors(): Generator<string> {
  for (const [name, message] of getSystemErrorMap().values())
    yield `Error: ${name}: ${message}, uv_dial 'broker'`;
  for (const [code, words] of Object.entries(STATUS_CODES))
    yield `upstream answered ${words} while syncing mirror ${code}`;
}

async function askUnseen(sessions: Sessions, text: string, sums: FixReplay): Promise<void> {
  const asked = askedError(text);
  if ((await sessions.failures.count(asked.classes)) > 0) return;
  sums.unseen++;
  const failures = await sessions.failures.ofClasses(asked.classes);
  if ((await chooseFixes(asked, failures, sessions)).length > 0) sums.unseenAnswers++;
}

async function replayOne(
  sessions: Sessions,
  session: SessionRow,
  row: Readonly<Record<string, unknown>>,
  sums: FixReplay,
): Promise<void> {
  const [event] = await sessions.events.range(session, Number(row.result), Number(row.result));
  if (event === undefined) return;
  const { text } = await sessions.events.text(session, event, false);
  const asked = askedError(text);
  const failures = await sessions.failures.ofClasses([...asked.classes, String(row.error_class)], {
    except: session.id,
  });
  const [first] = await chooseFixes(asked, failures, sessions);
  const seen = await sessions.failures.count([...asked.classes, String(row.error_class)], {
    except: session.id,
  });
  if (seen === 0) {
    sums.unseen++;
    if (first !== undefined) sums.unseenAnswers++;
    return;
  }
  const wanted = errorClass(String(row.error));
  if (!failures.some(({ error }) => errorClass(error) === wanted)) return;
  sums.recurring++;
  if (asked.vague) {
    sums.vague++;
    if (first !== undefined) sums.vagueAnswers++;
    return;
  }
  if (first?.likeness === 'same' && errorClass(first.failure.error) === wanted) sums.hits++;
  const own = (await sessions.failures.ofClasses([String(row.error_class)])).find(
    (one) => one.session.id === session.id && one.call === Number(row.call),
  );
  if (own === undefined || first === undefined || first.likeness !== 'same') return;
  const files = await fixingEdits(own, sessions);
  const [shown] = first.edits;
  if (files.length === 0 || shown === undefined) return;
  sums.withEdits++;
  if (shown.score > 0) sums.toThePoint++;
  if (files.some(({ edit }) => first.edits.some((other) => other.edit.repoPath === edit.repoPath)))
    sums.sameFile++;
  const kind = kindOf(own);
  if (kind === undefined || kindOf(first.failure) === undefined) return;
  sums.labelled++;
  if (kind === kindOf(first.failure)) sums.sameKind++;
  if (failures.some((other) => kindOf(other) === kind)) sums.possible++;
}

const kindOf = ({ session, call }: FixedFailure) => FIX_KINDS.get(`${session.id.slice(0, 8)}:${call}`);
