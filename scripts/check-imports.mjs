// The picture in ARCHITECTURE.md as a check: which folder of src may import which, and no cycles.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

const SUBJECTS = ['code', 'sessions', 'disk'];

/** What each folder may import besides itself; folders that are not named may import everything. */
const ALLOWED = {
  tokens: [],
  contract: ['tokens'],
  regex: ['contract'],
  glob: ['contract', 'regex'],
  threads: ['contract'],
  store: ['contract'],
  jobs: ['contract', 'store'],
  ...Object.fromEntries(
    SUBJECTS.map((subject) => [subject, ['contract', 'regex', 'glob', 'threads', 'store', 'jobs']]),
  ),
  joins: ['contract', 'store', 'jobs', ...SUBJECTS],
  app: ['contract', 'store', 'jobs', ...SUBJECTS, 'joins'],
  mcp: ['contract', 'app'],
  http: ['contract', 'threads', 'app', 'mcp', 'jobs', 'sessions'],
  daemon: ['contract', 'app', 'http', 'store'],
};

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
