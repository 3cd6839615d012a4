// What one edit followed by a search costs: CPU time of all threads, in a tree of small, similar files.
// PINHOLE_EDIT_FILES sets the number of files in the tree.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../scripts/build.mjs';
import { loadSources } from './source.mjs';

const FOLDERS = 300;
const ROUNDS = 20;
const TARGET_MS = 50;

export async function run() {
  const count = Number(process.env.PINHOLE_EDIT_FILES ?? 8000);
  await buildAll({ tolerant: true });
  const product = await loadSources('code-edit', ['src/code/files/watched-tree', 'src/code/semantic']);
  const folder = mkdtempSync(join(tmpdir(), 'code-edit-'));
  const root = join(folder, 'tree');
  for (let number = 0; number < count; number++) {
    const below = join(root, `d${number % FOLDERS}`);
    if (number < FOLDERS) mkdirSync(below, { recursive: true });
    const text = `export function name${number}() {\n  return ${number};\n}\nexport const other${number} = ${number};\n`;
    writeFileSync(join(below, `f${number}.ts`), text);
  }
  const tree = product.openTree(root, { watch: true });
  const jobs = { register() {}, start: async () => undefined };
  const semantic = product.openSemantic({ jobs, home: join(folder, 'home'), log: console.log });
  const question = { mode: 'hybrid', text: 'edited function', filter: { below: '', globs: [] } };
  const ask = () =>
    semantic.search(tree, { ...question, minScore: 0, limit: 5 }, new AbortController().signal);
  try {
    await semantic.build(tree, new AbortController().signal);
    await semantic.settled(tree);
    await ask();
    const searches = [];
    const edits = [];
    for (let round = 0; round < ROUNDS; round++) searches.push(await cpuOf(ask));
    for (let round = 0; round < ROUNDS; round++) {
      writeFileSync(join(root, 'd1', 'edited.ts'), `export function edited${round}() {}\n`);
      edits.push(await cpuOf(ask));
    }
    const search = median(searches);
    const edit = median(edits) - search;
    console.log(`command: npm run bench -- code-edit   (${count} files)`);
    console.log(
      `search ${search.toFixed(1)} ms, edit ${edit.toFixed(1)} ms of CPU time (target ${TARGET_MS} ms)`,
    );
    return { search, edit };
  } finally {
    await semantic.close();
    await tree.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function cpuOf(work) {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
