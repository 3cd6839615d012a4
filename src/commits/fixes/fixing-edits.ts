import type { Sessions } from '../../sessions/sessions.ts';
import type { FixedFailure, FixingEdit } from '../../sessions/store/fixed-failures.ts';

/** An edit between a failure and the success after it, and how closely it is related to the error. */
export interface RelatedEdit {
  readonly edit: FixingEdit;
  readonly diff: string | undefined;
  readonly score: number;
}

/** How many edits are examined, and how many lines of each. */
const MAX_EDITS = 25;
const MAX_LINES = 2_000;
/** Earlier edits can shift the line that an error names by a few lines. */
const NEAR_LINES = 10;

const AT_PLACE = 4;
const SAME_FILE = 2;
const SAYS_NAME = 2;

/** The edits that fixed an error, the most closely related first; one per file. */
export async function fixingEdits(
  failure: FixedFailure,
  { failures, files }: Pick<Sessions, 'failures' | 'files'>,
): Promise<readonly RelatedEdit[]> {
  const found: RelatedEdit[] = [];
  for (const edit of await failures.edits(failure, MAX_EDITS)) {
    const diff = await files.changes.diffAt(failure.session, edit.event, edit.path, MAX_LINES);
    found.push({ edit, diff, score: relation(failure.error, edit.repoPath, diff ?? '') });
  }
  found.sort((a, b) => b.score - a.score || b.edit.event - a.edit.event);
  return found.filter(({ edit }, at) => found.findIndex((one) => one.edit.path === edit.path) === at);
}

/** How closely an edit of a file is related to an error. */
export function relation(error: string, path: string, diff: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const lines = [...error.matchAll(PLACE)].flatMap(([, file = '', line]) =>
    file === path || file.endsWith(`/${name}`) || file === name ? [Number(line)] : [],
  );
  const inFile = lines.length > 0 || error.includes(path) ? SAME_FILE : 0;
  const atPlace = lines.some((line) => hunksOf(diff).some(({ from, to }) => isNear(line, from, to)));
  const changed = diff
    .split('\n')
    .filter((line) => /^[+-]/.test(line))
    .join('\n');
  const said = tellingWords(error).some((word) => changed.includes(word));
  return inFile + (atPlace ? AT_PLACE : 0) + (said ? SAYS_NAME : 0);
}

const PLACE = /([\w./@-]+\.\w{1,5})[:(](\d+)/g;
const HUNK = /^@@ -(\d+)(?:,(\d+))? /gm;

function hunksOf(diff: string): readonly { readonly from: number; readonly to: number }[] {
  return [...diff.matchAll(HUNK)].map(([, from, length]) => ({
    from: Number(from),
    to: Number(from) + Number(length ?? 1),
  }));
}

const isNear = (line: number, from: number, to: number) =>
  line >= from - NEAR_LINES && line <= to + NEAR_LINES;

/** What an error is about: quoted texts, the last part of a qualified name, undefined names, and the rule. */
function tellingWords(error: string): readonly string[] {
  const quoted = [...error.matchAll(/["'`]([^"'`]{3,80})["'`]/g)].map(([, text = '']) => text);
  const rules = [...error.matchAll(/\(([a-z][\w-]{3,})\)/g)].map(([, rule = '']) => `nolint:${rule}`);
  const missing = [...error.matchAll(/\bundefined: ([\w.]+)/g)].map(([, name = '']) => name);
  return [...quoted.map((text) => /[A-Za-z_]\w*$/.exec(text)?.[0] ?? text), ...rules, ...missing];
}
