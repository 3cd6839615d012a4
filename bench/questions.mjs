// Questions about known functions: is the file, and the function, first or among the first five in one answer?
// PINHOLE_QUESTIONS names a file with one JSON object per line: { repo, question, path, function }. `repo` is a folder,
// absolute or relative to PINHOLE_QUESTION_REPOS; `path` and `function` may be lists of accepted ones. A function counts
// by its last name (`Pool.acquire` is `acquire`) in an accepted file. One call of hybrid_search per question.
// `--misses` shows what was not first. bench/questions/mine.mjs makes such a file from commits.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildAll } from '../scripts/build.mjs';
import { freePort, pause, record, start } from './soak-process.mjs';

const PLACES = 5;
const POLL_MS = 500;
const TARGETS = 'function hit@1 0.5, hit@5 0.8';

export async function run({ args = process.argv.slice(2) } = {}) {
  const list = process.env.PINHOLE_QUESTIONS;
  if (!list || !existsSync(list)) throw new Error('set PINHOLE_QUESTIONS to a file of questions');
  const questions = readQuestions(list);
  const folders = [...new Set(questions.map(({ folder }) => folder))];
  await buildAll({ tolerant: true });
  const base = mkdtempSync(join(tmpdir(), 'pinhole-questions-'));
  const place = { home: join(base, 'home'), port: await freePort() };
  const env = { ...process.env, HOME: base, PINHOLE_HOME: place.home, PINHOLE_PORT: String(place.port) };
  const results = [];
  try {
    for (const folder of folders) {
      const { child } = await start({ ...place, tree: folder, env });
      await untilRead(place, folder);
      for (const one of questions.filter((each) => each.folder === folder))
        results.push({ ...one, ...placesOf(one, await search(place, folder, one.question)) });
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  console.log(`command: PINHOLE_QUESTIONS=FILE npm run bench -- questions   (${results.length} questions)`);
  console.log(`target: ${TARGETS}`);
  report('all', results);
  for (const folder of folders)
    report(
      folder.split('/').at(-1),
      results.filter((one) => one.folder === folder),
    );
  if (args.includes('--misses')) misses(results);
  return results;
}

function readQuestions(list) {
  const from = process.env.PINHOLE_QUESTION_REPOS ?? '.';
  return readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
    .map(({ repo, question, path, function: name }) => ({
      folder: realpathSync(resolve(from, repo)),
      question,
      paths: [path].flat(),
      functions: [name].flat().map(lastName),
    }));
}

const lastName = (name) => name.split(/[.:#]+/).at(-1);

/** The ranks of the file and the function, from 0; -1 if they are not found. */
function placesOf({ paths, functions }, matches) {
  const files = [...new Set(matches.map(({ path }) => path))];
  return {
    file: files.findIndex((path) => paths.includes(path)),
    place: matches.findIndex(
      ({ path, symbol }) => paths.includes(path) && functions.includes(lastName(symbol ?? '')),
    ),
    first: matches[0] && `${matches[0].path} ${matches[0].symbol ?? ''}`,
  };
}

function report(label, results) {
  const share = (which, k) =>
    (results.filter((one) => one[which] >= 0 && one[which] < k).length / results.length).toFixed(3);
  console.log(
    `${label.padEnd(28)} ${String(results.length).padStart(3)}  file hit@1 ${share('file', 1)} hit@5 ${share('file', PLACES)}  function hit@1 ${share('place', 1)} hit@5 ${share('place', PLACES)}`,
  );
}

function misses(results) {
  for (const { question, paths, functions, file, place, first } of results)
    if (place !== 0)
      console.log(
        `  ${file + 1}/${place + 1} "${question}" wanted ${paths[0]} ${functions[0]}; first ${first}`,
      );
}

async function untilRead(place, folder) {
  for (;;) {
    const { meta } = await answer(place, folder, 'where does it start');
    if (meta?.indexing === undefined && meta?.index?.fresh !== false) return;
    await pause(POLL_MS);
  }
}

const search = async (place, folder, question) => (await answer(place, folder, question)).data?.matches ?? [];

async function answer({ home, port }, folder, query) {
  const headers = { authorization: `Bearer ${record(home)?.token}` };
  const words = new URLSearchParams({ mode: 'hybrid', query, path: folder });
  return (await fetch(`http://127.0.0.1:${port}/api/code/search?${words}`, { headers })).json();
}
