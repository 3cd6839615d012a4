// Runs benches by name: `npm run bench -- startup load`. Each is a file here that exports run().
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));

/** Every bench with the first sentence of its header comment. */
function benches() {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
    .map((file) => ({ name: file.slice(0, -4), text: readFileSync(join(folder, file), 'utf8') }))
    .filter(({ text }) => /^export (async )?function run\(/m.test(text))
    .map(({ name, text }) => ({ name, about: firstSentence(text) }));
}

function firstSentence(text) {
  const [comment] = /^(?:\/\/.*\n)+/.exec(text) ?? [''];
  return comment
    .replace(/^\/\/ ?/gm, '')
    .replaceAll('\n', ' ')
    .split(/(?<=\.) /, 1)[0];
}

function printList() {
  for (const { name, about } of benches()) console.log(`${name.padEnd(12)} ${about}`);
}

/** What readers need to compare the figures with their own. */
function printMachine() {
  const [{ model }] = cpus();
  console.log(`machine: ${cpus().length} × ${model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB memory`);
  console.log(
    `system: ${type()} ${release()}, Node ${process.version}, load ${loadavg()
      .map((n) => n.toFixed(1))
      .join(' ')}`,
  );
  console.log(`pinhole: ${commit()}, ${new Date().toISOString().slice(0, 10)}`);
}

function commit() {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: folder, encoding: 'utf8' }).trim();
  } catch {
    return 'outside git';
  }
}

const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const known = new Set(benches().map(({ name }) => name));
const wrong = names.filter((name) => !known.has(name));
if (process.argv.includes('--list') || names.length === 0) {
  printList();
} else if (wrong.length > 0) {
  console.error(`There is no bench ${wrong.join(', ')}. There are:`);
  printList();
  process.exitCode = 2;
} else {
  printMachine();
  for (const name of names) {
    console.log(`\n== ${name}`);
    const { run } = await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
    await run();
  }
}
