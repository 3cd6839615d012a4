// The picture in ARCHITECTURE.md as a check: which folder of src may import which, and no cycles.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

const SUBJECTS = ['code', 'sessions', 'disk'];

/** What each folder may import besides itself; folders that are not named may import everything. */
const ALLOWED = {
  contract: [],
  page: [],
  regex: ['contract'],
  glob: ['contract', 'regex'],
  threads: ['contract'],
  store: ['contract'],
  jobs: ['contract', 'page', 'store'],
  ...Object.fromEntries(
    SUBJECTS.map((subject) => [subject, ['contract', 'page', 'regex', 'glob', 'threads', 'store', 'jobs']]),
  ),
  joins: ['contract', 'store', 'jobs', ...SUBJECTS],
  app: ['contract', 'page', 'store', 'jobs', ...SUBJECTS, 'joins'],
  mcp: ['contract', 'app'],
  http: ['contract', 'threads', 'app', 'mcp', 'jobs', 'sessions'],
  daemon: ['contract', 'app', 'http', 'store'],
};

/**
 * Rooms that read what users and agents wrote: they open files through src/contract/open-file.ts only. The files named
 * here open what is Pinhole's own or the system's, or write new files.
 */
const READING = ['code', 'sessions', 'disk', 'http'];
const OPENS =
  /\b(?:open|openSync|openAsBlob|opendir|opendirSync|readFile|readFileSync|createReadStream|copyFile|copyFileSync|cp|cpSync)\b/;
const OPEN_THEMSELVES = new Map(
  Object.entries({
    // The data folder.
    'code/catalog.ts': ['readFileSync'],
    'code/semantic/manifest.ts': ['readFileSync'],
    'code/semantic/segment-reader.ts': ['openSync'],
    'code/trigram/manifest.ts': ['readFileSync'],
    'code/trigram/segment-file.ts': ['openSync'],
    'disk/indexes/growth-files.ts': ['readFile'],
    'disk/reports/hash-cache.ts': ['readFileSync'],
    'disk/tree/load-tree.ts': ['open'],
    'disk/tree/save-tree.ts': ['open'],
    'sessions/archive/keep.ts': ['openSync'],
    'sessions/archive/setting.ts': ['readFileSync'],
    // The package itself: the model and the page.
    'code/embed/static-embedder.ts': ['readFileSync'],
    'code/embed/static-model.ts': ['readFile'],
    'http/page.ts': ['readFileSync'],
    // Files of the system.
    'code/files/watch.ts': ['readFileSync'],
    'disk/tree/user-names.ts': ['readFileSync'],
    'disk/watch/watch-limits.ts': ['readFileSync'],
    // New files: an export, matches, a copy in a folder made for it.
    'code/print/export-file.ts': ['open'],
    'disk/operations/disk-export.ts': ['open'],
    'sessions/ingest/codex-state.ts': ['openSync'],
    // Folders that the scanner enters, compared by device and inode afterwards.
    'disk/scan/change-folder.ts': ['openSync'],
  }),
);
const FS_IMPORT = /(?:^|\n)\s*import\s+(?!type\s)([^'";]*?)\sfrom\s+'(?:node:)?fs(?:\/promises)?'/g;
const FS_AT_RUN_TIME = /(?:import|require)\(\s*'(?:node:)?fs(?:\/promises)?'/;

const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'";]*?\sfrom\s+'([^']+)'|import\('([^']+)'\)/g;

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name) && !/\.(test|fixture)\.tsx?$/.test(entry.name)) yield path;
  }
}

/** Imports of a file within src, as paths; types are needed by people, not by the running program. */
function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(IMPORT)]
    .map(([, type, stated, dynamic]) => ({
      target: stated ?? dynamic,
      type: type !== undefined,
      dynamic: stated === undefined,
    }))
    .filter(({ target }) => target.startsWith('.'))
    .map(({ target, ...rest }) => ({ path: normalize(join(dirname(file), target)), ...rest }));
}

const folderOf = (file) => {
  const [, first = '', ...rest] = file.split(sep);
  return rest.length === 0 ? '' : first;
};

const graph = new Map([...sources('src')].map((file) => [file, importsOf(file)]));
const problems = [];

for (const [file, imports] of graph) {
  const from = folderOf(file);
  const allowed = ALLOWED[from];
  if (allowed === undefined) continue;
  for (const { path } of imports) {
    const to = folderOf(path);
    if (path.startsWith(`src${sep}`) && to !== from && !allowed.includes(to)) {
      problems.push(`${file} imports ${path}: ${from} may import ${allowed.join(', ') || 'nothing of ours'}`);
    }
  }
}

/** What a file imports to open others with. */
function opensOf(text) {
  const named = [...text.matchAll(FS_IMPORT)].flatMap(([, names]) =>
    names.includes('{') && !/^[^{]*\w/.test(names)
      ? names
          .replace(/[{}]/g, '')
          .split(',')
          .map((name) => name.trim().split(' as ')[0].trim())
      : ['* (import the functions by their names)'],
  );
  const whole = named.filter((name) => name.startsWith('*') || name === 'promises');
  return [
    ...named.filter((name) => !name.startsWith('type ') && OPENS.test(name)),
    ...whole,
    ...(FS_AT_RUN_TIME.test(text) ? ['fs at run time'] : []),
  ];
}

const opening = new Set();
for (const file of graph.keys()) {
  if (!READING.includes(folderOf(file))) continue;
  const name = relative('src', file).split(sep).join('/');
  for (const used of opensOf(readFileSync(file, 'utf8'))) {
    opening.add(`${name} ${used}`);
    if (!(OPEN_THEMSELVES.get(name) ?? []).includes(used))
      problems.push(`${file} uses ${used}: files that others wrote are opened by contract/open-file.ts`);
  }
}
for (const [name, functions] of OPEN_THEMSELVES)
  for (const used of functions)
    if (!opening.has(`${name} ${used}`))
      problems.push(`${name} no longer uses ${used}: take it off the list`);

/** Depth-first search; a file met again on the way is a cycle. Types and imports at run time make none. */
const done = new Set();
function visit(file, way) {
  if (way.includes(file)) {
    problems.push(
      `cycle: ${[...way.slice(way.indexOf(file)), file].map((path) => relative('src', path)).join(' -> ')}`,
    );
    return;
  }
  if (done.has(file)) return;
  for (const { path, type, dynamic } of graph.get(file) ?? [])
    if (!type && !dynamic) visit(path, [...way, file]);
  done.add(file);
}
for (const file of graph.keys()) visit(file, []);

if (graph.size < 50) problems.push(`only ${graph.size} files were looked at: is this the right folder?`);
for (const problem of problems) console.error(problem);
console.log(
  `imports: ${graph.size} files, ${[...graph.values()].flat().length} imports, ${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
