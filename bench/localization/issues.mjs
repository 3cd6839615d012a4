// The issues of SWE-bench Lite's dev split, with the places that their accepted patches change.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Finds the issues and mirrors, or says what is missing. */
export function locate() {
  const { PINHOLE_CORPUS: corpus, PINHOLE_MIRRORS: mirrors } = process.env;
  const list = join(corpus ?? '', 'data', 'localization', 'swebench-lite-dev.jsonl');
  if (!corpus || !existsSync(list))
    throw new Error('set PINHOLE_CORPUS to the folder that has data/localization/swebench-lite-dev.jsonl');
  if (!mirrors || !existsSync(mirrors))
    throw new Error('set PINHOLE_MIRRORS to a folder of git directories named OWNER+NAME/repo');
  return { list, mirrors };
}

/** Every issue, with its repository's git directory and what the patch changes. */
export function loadIssues({ list, mirrors }) {
  return readFileSync(list, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ instance_id, repo, base_commit, problem_statement, patch }) => ({
      name: instance_id,
      repository: repo,
      git: join(mirrors, repo.replace('/', '+'), 'repo'),
      commit: base_commit,
      text: problem_statement,
      places: placesOf(patch),
    }));
}

/** `{ path, from, to }` of every hunk, in lines of the file before the patch. */
export function placesOf(patch) {
  const places = [];
  let path;
  for (const line of patch.split('\n')) {
    const file = /^--- a\/(.*)$/.exec(line);
    if (file) path = file[1];
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (hunk && path) places.push({ path, hunk: true, from: Number(hunk[1]), lines: [] });
    const place = places.at(-1);
    if (place && !hunk && !file && /^[ +-]/.test(line) && !/^(?:---|\+\+\+) /.test(line))
      place.lines.push(line);
  }
  return places.map(changedLines);
}

/** A hunk shows three lines around a change; only the changed ones are the place. */
function changedLines({ path, from, lines }) {
  let line = from;
  let first;
  let last = from;
  for (const text of lines) {
    if (text.startsWith('-')) {
      first ??= line;
      last = line;
    }
    if (text.startsWith('+')) {
      // An insertion belongs to the line before it.
      first ??= Math.max(1, line - 1);
      last = Math.max(last, line - 1, first);
    }
    if (!text.startsWith('+')) line++;
  }
  return { path, from: first ?? from, to: last };
}
