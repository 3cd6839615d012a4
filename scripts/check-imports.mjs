// Checks which folders of src may import which, that imports have no cycles and file names are unique, and that
// ARCHITECTURE.md agrees.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

const SUBJECTS = ['code', 'sessions', 'disk'];

/** What each folder may import besides itself. Every folder of src has a row, and so has main.ts. */
const ALLOWED = {
  tokens: [],
  contract: ['tokens'],
  page: [],
  regex: ['contract'],
  glob: ['contract', 'regex'],
  threads: ['contract'],
  store: ['contract'],
  jobs: ['contract', 'page', 'store'],
  ...Object.fromEntries(
    SUBJECTS.map((subject) => [subject, ['contract', 'page', 'regex', 'glob', 'threads', 'store', 'jobs']]),
  ),
  commits: ['contract', 'store', 'sessions'],
  team: ['contract', 'store', 'jobs', 'sessions'],
  joins: ['contract', ...SUBJECTS],
  sql: ['contract', 'regex', 'threads', 'store', 'jobs', ...SUBJECTS, 'commits'],
  app: ['contract', 'store', 'jobs', ...SUBJECTS, 'commits', 'team', 'joins', 'sql'],
  command: ['contract'],
  connect: ['contract', 'store', 'app'],
  mcp: ['contract', 'app', 'command', 'connect'],
  http: ['contract', 'threads', 'jobs', 'sessions', 'team', 'app', 'mcp'],
  daemon: ['contract', 'threads', 'store', 'app', 'command', 'connect', 'http'],
  setup: ['contract'],
  doctor: ['contract', 'sessions', 'disk', 'setup', 'connect'],
  cli: [
    'regex',
    'contract',
    'store',
    'jobs',
    'code',
    'sessions',
    'team',
    'sql',
    'app',
    'command',
    'connect',
    'mcp',
    'daemon',
    'setup',
    'doctor',
  ],
  'main.ts': ['cli', 'connect'],
};

/** The page may import these files, and types from anywhere: types do not reach the browser. */
const FOR_THE_PAGE = [
  'code/languages.ts',
  'contract/bytes.ts',
  'contract/envelope.ts',
  'contract/format.ts',
  'contract/zone.ts',
  'http/routes.data.ts',
  'sessions/operations/usage-gaps.ts',
  'sessions/providers/agents.data.ts',
  'page/page-links.ts',
];

/**
 * Files that others wrote are opened only through src/contract/open-file.ts. The files listed here open files of
 * Pinhole itself or of the system, or write new files.
 */
const OPENS =
  /\b(?:open|openSync|openAsBlob|opendir|opendirSync|readFile|readFileSync|createReadStream|copyFile|copyFileSync|cp|cpSync)\b/;
const OPEN_THEMSELVES = new Map(
  Object.entries({
    'contract/open-file.ts': ['open', 'openSync'],
    // The data folder.
    'code/code-index-list.ts': ['readFileSync'],
    'code/semantic/semantic-manifest.ts': ['readFileSync'],
    'code/semantic/semantic-segment-reader.ts': ['openSync'],
    'code/trigram/trigram-manifest.ts': ['readFileSync'],
    'code/trigram/trigram-segment-file.ts': ['openSync'],
    'disk/indexes/baselines.ts': ['readFile'],
    'disk/indexes/growth-files.ts': ['readFile'],
    'disk/reports/hash-cache.ts': ['readFileSync'],
    'disk/tree/load-tree.ts': ['open'],
    'disk/tree/save-tree.ts': ['open'],
    'sessions/archive/keep-logs.ts': ['openSync'],
    'sessions/archive/archive-setting.ts': ['readFileSync'],
    'sessions/store/session-marks.ts': ['readFileSync'],
    'sessions/tokens/own-prices.ts': ['readFileSync'],
    'connect/background-log.ts': ['readFileSync'],
    'connect/background-record.ts': ['openSync', 'readFileSync'],
    'connect/data-holder.ts': ['readFileSync'],
    'connect/start-turn.ts': ['readFileSync'],
    'cli/logs-command.ts': ['readFileSync'],
    'cli/sql-prompt.ts': ['readFileSync'],
    'store/durable-database.ts': ['copyFileSync'],
    // The package itself: the model, the grammars and the page.
    'code/embed/static-embedder.ts': ['readFileSync'],
    'code/embed/static-model.ts': ['readFile'],
    'code/rank/thesaurus.ts': ['readFileSync'],
    'code/reader/reader-weights.ts': ['readFileSync'],
    'code/symbols/extract/read-grammar.ts': ['readFileSync'],
    'http/page-files.ts': ['readFileSync'],
    'setup/skill.ts': ['readFileSync'],
    // Files that the administrator of a team server names.
    'team/access/team-settings.ts': ['readFileSync'],
    // System files.
    'connect/process-id.ts': ['readFileSync'],
    'code/files/watch-folders.ts': ['readFileSync'],
    'disk/tree/user-names.ts': ['readFileSync'],
    'disk/watch/watch-limits.ts': ['readFileSync'],
    // New files: an export, matches, a copy in a dedicated folder, settings.
    'setup/apply.ts': ['openSync'],
    'code/grep-output/match-file.ts': ['open'],
    'disk/operations/disk-export.ts': ['open'],
    'sessions/read/foreign-database.ts': ['openSync'],
    'sql/process/table-file.ts': ['openSync'],
    // Its own open files, to read their sizes.
    'sql/process/query-limits.ts': ['fs at run time'],
    // Folders that the scanner enters; it compares their device and inode afterwards.
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

/** The relative imports of a file, as paths; type imports do not exist in the running program. */
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

/** The folder of src that a file is in; the file name itself for a file directly in src. */
const folderOf = (file) => file.split(sep)[1];
const isInSrc = (path) => path.startsWith(`src${sep}`);

const graph = new Map([...sources('src')].map((file) => [file, importsOf(file)]));
const problems = [];

for (const [file, imports] of graph) {
  const from = folderOf(file);
  const allowed = ALLOWED[from];
  if (allowed === undefined) {
    problems.push(`${file}: src/${from} has no row in scripts/check-imports.mjs`);
    continue;
  }
  for (const { path } of imports) {
    const to = folderOf(path);
    if (isInSrc(path) && to !== from && !allowed.includes(to)) {
      problems.push(`${file} imports ${path}: ${from} may import ${allowed.join(', ') || 'nothing of ours'}`);
    }
  }
}

for (const file of sources(join('web', 'src')))
  for (const { path, type } of importsOf(file)) {
    const name = relative('src', path).split(sep).join('/');
    if (isInSrc(path) && !type && !FOR_THE_PAGE.includes(name))
      problems.push(`${file} imports ${path}: web may import types, and ${FOR_THE_PAGE.join(', ')}`);
  }

/** The rows `| `src/x`, `src/y` | what | contract, store |` of the table in ARCHITECTURE.md, by folder. */
function describedImports() {
  const rows = new Map();
  for (const line of readFileSync('ARCHITECTURE.md', 'utf8').split('\n')) {
    const [, folders = '', , imports = ''] = line.split('|').map((cell) => cell.trim());
    for (const [, folder] of folders.matchAll(/`src\/([\w.]+)`/g))
      rows.set(folder, imports === 'nothing of ours' ? [] : imports.split(', '));
  }
  return rows;
}

const described = describedImports();
for (const [folder, allowed] of Object.entries(ALLOWED)) {
  const said = described.get(folder)?.toSorted().join(', ');
  const wanted = allowed.toSorted().join(', ');
  if (said !== wanted)
    problems.push(
      `ARCHITECTURE.md says that src/${folder} may import '${said}', but the rule is '${wanted}'`,
    );
}

/** The page's row names the files that it may import at run time. */
const page = readFileSync('ARCHITECTURE.md', 'utf8')
  .split('\n')
  .find((line) => line.startsWith('| `web` |'));
const shown = [...(page ?? '').matchAll(/`([\w.-]+\.ts)`/g)].map(([, name]) => name).toSorted();
const wanted = FOR_THE_PAGE.map((path) => path.split('/').at(-1)).toSorted();
if (shown.join() !== wanted.join())
  problems.push(`ARCHITECTURE.md says that web may import ${shown}, but the rule is ${wanted}`);

/** File names that parallel folders share: one per subject, or an operation and its subject. */
const PARALLEL = ['index.ts', 'calls.ts', 'command.ts', 'services.ts', 'tables.ts'];
const named = new Map();
for (const file of graph.keys()) {
  const name = file.split(sep).at(-1);
  if (PARALLEL.includes(name) || file.includes(`${sep}operations${sep}`)) continue;
  if (named.has(name)) problems.push(`${file} has the name of ${named.get(name)}: say what is inside`);
  named.set(name, file);
}

/** The functions for opening files that a source file imports. */
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
  const name = relative('src', file).split(sep).join('/');
  for (const used of opensOf(readFileSync(file, 'utf8'))) {
    opening.add(`${name} ${used}`);
    if (!(OPEN_THEMSELVES.get(name) ?? []).includes(used))
      problems.push(`${file} uses ${used}: open files that others wrote through contract/open-file.ts`);
  }
}
for (const [name, functions] of OPEN_THEMSELVES)
  for (const used of functions)
    if (!opening.has(`${name} ${used}`))
      problems.push(`${name} no longer uses ${used}: remove it from the list`);

/** Depth-first search; a file that appears twice on a path is a cycle. Type imports and dynamic imports do not count. */
const done = new Set();
function visit(file, trail) {
  if (trail.includes(file)) {
    problems.push(
      `cycle: ${[...trail.slice(trail.indexOf(file)), file].map((path) => relative('src', path)).join(' -> ')}`,
    );
    return;
  }
  if (done.has(file)) return;
  for (const { path, type, dynamic } of graph.get(file) ?? [])
    if (!type && !dynamic) visit(path, [...trail, file]);
  done.add(file);
}
for (const file of graph.keys()) visit(file, []);

if (graph.size < 50) problems.push(`only ${graph.size} files were found: is this the right folder?`);
for (const problem of problems) console.error(problem);
console.log(
  `imports: ${graph.size} files, ${[...graph.values()].flat().length} imports, ${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
