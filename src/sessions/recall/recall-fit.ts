import { isAbsolute, relative, sep } from 'node:path';
import { snip } from '../operations/session-text.ts';
import type { RecalledFile, RecalledRun, RecallFacts, Said } from './recall-facts.ts';

/** Something that was said or is still open, as shown. */
export interface ShownText {
  readonly event_index: number;
  readonly turn_index?: number | undefined;
  readonly text: string;
}

export interface ShownFile {
  readonly path: string;
  readonly event_index: number;
  readonly edits?: number | undefined;
}

export interface ShownRun {
  readonly event_index: number;
  readonly command: string;
  readonly status: string;
  readonly exit_code?: number | undefined;
}

/** What was asked, decided, changed, run and left open in a part of a session. */
export interface Recalled {
  readonly asked: readonly ShownText[];
  readonly said: readonly ShownText[];
  readonly files: readonly ShownFile[];
  readonly ran: readonly ShownRun[];
  /** Other programs that ran: only their names. */
  readonly also_ran: readonly string[];
  readonly open: readonly ShownText[];
  /** Files that were only mentioned or found, or that other sessions of the project change together with these. */
  readonly related: readonly string[];
  /** Programs that other sessions of the project ran. */
  readonly usual: readonly string[];
}

const EMPTY: Recalled = {
  asked: [],
  said: [],
  files: [],
  ran: [],
  also_ran: [],
  open: [],
  related: [],
  usual: [],
};
const MAX_PROMPT_LENGTH = 150;
const MAX_OLD_PROMPT_LENGTH = 70;
const MAX_REPLY_LENGTH = 140;
const MAX_TODO_LENGTH = 70;
const MAX_COMMAND_LENGTH = 48;
const MAX_RUNS = 5;
const MAX_TODOS = 5;
const MAX_RELATED_FILES = 40;
const MAX_USUAL_PROGRAMS = 24;

/**
 * Takes pieces in order of importance as long as they fit. The contract fills one list to its end and cuts the longest
 * text of a row. Here eight lists share 2 kB, and the order of importance goes across them, so each piece is measured
 * before it is taken.
 */
export function fitRecall(
  facts: RecallFacts,
  folder: string | undefined,
  fits: (recalled: Recalled) => boolean,
): Recalled {
  let chosen = EMPTY;
  for (const add of additions(facts, folder)) {
    const next = add(chosen);
    if (fits(next)) chosen = next;
  }
  // Back to chronological order.
  const byEvent = (a: { readonly event_index: number }, b: { readonly event_index: number }) =>
    a.event_index - b.event_index;
  return { ...chosen, asked: chosen.asked.toSorted(byEvent), said: chosen.said.toSorted(byEvent) };
}

type Addition = (before: Recalled) => Recalled;

/** What can be shown, most important first. */
function* additions(
  { prompts, replies, files, runs, todos, related, usual }: RecallFacts,
  folder: string | undefined,
): Generator<Addition> {
  const asked =
    (said: Said, max: number): Addition =>
    (all) => ({
      ...all,
      asked: [...all.asked, shownText(said, max)],
    });
  const said =
    (one: Said): Addition =>
    (all) => ({ ...all, said: [...all.said, shownText(one, MAX_REPLY_LENGTH)] });
  const file =
    (one: RecalledFile): Addition =>
    (all) => ({
      ...all,
      files: [...all.files, shownFile(one, folder)],
    });
  const relate =
    (path: string): Addition =>
    (all) => ({ ...all, related: [...all.related, path] });
  const run =
    (one: RecalledRun): Addition =>
    (all) => ({ ...all, ran: [...all.ran, shownRun(one)] });
  const name =
    ({ program }: RecalledRun): Addition =>
    (all) => ({ ...all, also_ran: [...all.also_ran, program] });

  const [latest, ...earlier] = prompts;
  if (latest !== undefined) yield asked(latest, MAX_PROMPT_LENGTH);
  for (const todo of todos.slice(0, MAX_TODOS))
    yield (all) => ({ ...all, open: [...all.open, shownText(todo, MAX_TODO_LENGTH)] });
  const failed = runs.filter(({ isCheck, status }) => isCheck && status === 'failed');
  for (const { event, program } of failed.slice(0, 2))
    yield (all) => ({
      ...all,
      open: [...all.open, { event_index: event, text: `${program} failed when it last ran` }],
    });
  const edited = files.filter(({ edits }) => edits > 0);
  for (const one of edited.slice(0, 12)) yield file(one);
  for (const one of runs.slice(0, MAX_RUNS)) yield run(one);
  for (const one of replies.slice(0, 1)) yield said(one);
  for (const one of runs.slice(MAX_RUNS)) yield name(one);
  const ran = new Set(runs.map(({ program }) => program));
  const others = usual.filter((program) => !ran.has(program));
  const custom =
    (program: string): Addition =>
    (all) => ({ ...all, usual: [...all.usual, program] });
  for (const program of others.slice(0, MAX_USUAL_PROGRAMS)) yield custom(program);
  const read = files.filter(({ edits }) => edits === 0);
  for (const one of [...edited.slice(12, 30), ...read.slice(0, 8)]) yield file(one);
  for (const path of related.slice(0, MAX_RELATED_FILES)) yield relate(path);
  for (const one of earlier.slice(0, 3)) yield asked(one, MAX_OLD_PROMPT_LENGTH);
  for (const one of [...edited.slice(30), ...read.slice(8)]) yield file(one);
  for (const program of others.slice(MAX_USUAL_PROGRAMS)) yield custom(program);
  for (const path of related.slice(MAX_RELATED_FILES)) yield relate(path);
  for (const one of replies.slice(1, 3)) yield said(one);
}

function shownText({ event, turn, text }: Said, max: number): ShownText {
  return { event_index: event, turn_index: turn < 0 ? undefined : turn, text: snip(text, max) };
}

function shownFile({ path, edits, event }: RecalledFile, folder: string | undefined): ShownFile {
  const below = folder === undefined || !isAbsolute(path) ? path : relative(folder, path);
  const shown = below.startsWith('..') || below === '' ? path : below;
  return { path: shown.replaceAll(sep, '/'), event_index: event, edits: edits > 0 ? edits : undefined };
}

function shownRun({ event, command, status, exitCode, program }: RecalledRun): ShownRun {
  const line = snip(command, MAX_COMMAND_LENGTH);
  return {
    event_index: event,
    // A long command may begin with mere preparation.
    command: line.includes(program) ? line : snip(`${program} … ${command}`, MAX_COMMAND_LENGTH),
    status,
    exit_code: exitCode,
  };
}
