// TypeScript symbols compared with the compiler's language service on three repositories: definitions, references, callers.
// `--with=FOLDER` uses another checkout instead of the default ones (this repository and those in PINHOLE_BENCH_TREES,
// separated by colons); `--sample=N` asks about this many definitions of each; `--show=N` prints the first N differences.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildAll } from '../scripts/build.mjs';
import { root as here, loadSources } from './source.mjs';

const ts = createRequire(import.meta.url)('typescript-5');
const MODULES = ['src/code/code', 'src/jobs/queue', 'src/store/sqlite', 'src/store/app-schema'];
const never = new AbortController().signal;

export async function run({ args = process.argv.slice(2) } = {}) {
  await buildAll({ tolerant: true });
  const product = await loadSources('symbols', MODULES);
  const option = (name) => args.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  const trees = option('with')?.split(':') ?? [
    here,
    ...(process.env.PINHOLE_BENCH_TREES ?? '').split(':').filter(Boolean),
  ];
  console.log('command: PINHOLE_BENCH_TREES=… npm run bench -- symbols');
  console.log('target: precision >= 0.95, recall >= 0.90');
  for (const tree of trees)
    await measure(product, realpathSync(tree), Number(option('sample') ?? 300), Number(option('show') ?? 0));
}

async function measure(product, root, sample, show) {
  const home = mkdtempSync(join(tmpdir(), 'pinhole-symbols-'));
  const db = await product.openSqlite(join(home, 'pinhole.db'), product.APP_SCHEMA);
  const jobs = product.createJobs(db, { now: Date.now, log: () => {} });
  const code = await product.openCode({ jobs, home, log: console.error, watch: true });
  await jobs.recover();
  let stored;
  try {
    const { tree } = code.trees.at(root);
    const began = performance.now();
    await code.symbols.build(tree, never);
    const built = performance.now() - began;
    const [{ file }] = await code.symbols.databases([root], never);
    const paths = [...tree.files.values()]
      .filter(({ path, hidden }) => !hidden && isScript(path))
      .map(({ path }) => path);
    const lines = product.readSqlite(file, (rows) =>
      rows('SELECT sum(lines) n FROM files WHERE flags & 4'),
    )[0].n;
    console.log(
      `\n${basename(root)}: ${tree.files.size} files, ${lines} lines, ${paths.length} TypeScript files; parsed in ${(built / 1000).toFixed(1)} s`,
    );
    stored = { file, lines: Number(lines) };
    if (sample > 0) await compare(code, tree, projectFiles(root, paths), sample, show);
  } finally {
    await jobs.close();
    await code.close();
    await db.close();
    // Closed now, so that everything is in the one file.
    if (stored !== undefined)
      console.log(`index: ${(statSync(stored.file).size / stored.lines).toFixed(1)} bytes per line`);
    rmSync(home, { recursive: true, force: true });
  }
}

const isScript = (path) => /\.[cm]?tsx?$/.test(path);

/** The files that the project's own settings include; other files may import what the compiler cannot find here. */
function projectFiles(root, paths) {
  const names = settingsOf(root)?.fileNames.map((name) => name.slice(root.length + 1)) ?? [];
  const named = new Set(names);
  return named.size > 0 ? paths.filter((path) => named.has(path)) : paths;
}

function settingsOf(root) {
  const config = ts.findConfigFile(root, ts.sys.fileExists);
  if (config === undefined) return undefined;
  return ts.getParsedCommandLineOfConfigFile(
    config,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} },
  );
}

function languageService(root, paths) {
  const options = { ...(settingsOf(root)?.options ?? {}), allowJs: true, noEmit: true, skipLibCheck: true };
  const versions = new Map();
  const host = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => paths.map((path) => join(root, path)),
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      if (!versions.has(file))
        versions.set(
          file,
          ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined,
        );
      return versions.get(file);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  return ts.createLanguageService(host);
}

/** Declarations that other code can name, and those inside functions that have their own body. */
function declarations(source) {
  const wanted = new Map();
  const any = new Set();
  const visit = (node, inFunction) => {
    const { name } = node;
    if (name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
      const at = name.getStart(source);
      any.add(at);
      const isFunction =
        ts.isFunctionDeclaration(node) ||
        (ts.isVariableDeclaration(node) &&
          node.initializer &&
          (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer)));
      const isTyped =
        ts.isClassDeclaration(node) ||
        ts.isInterfaceDeclaration(node) ||
        ts.isTypeAliasDeclaration(node) ||
        ts.isEnumDeclaration(node) ||
        ts.isModuleDeclaration(node);
      const isPart =
        ts.isMethodDeclaration(node) ||
        ts.isMethodSignature(node) ||
        ts.isPropertySignature(node) ||
        ts.isPropertyDeclaration(node) ||
        ts.isGetAccessor(node) ||
        ts.isSetAccessor(node) ||
        ts.isEnumMember(node);
      const inObject = isPart && ts.isObjectLiteralExpression(node.parent);
      if (
        isFunction ||
        isTyped ||
        (isPart && !inObject && !inFunction) ||
        (ts.isVariableDeclaration(node) &&
          !inFunction &&
          !ts.isForStatement(node.parent.parent) &&
          !ts.isForOfStatement(node.parent.parent) &&
          !inBlock(node))
      )
        wanted.set(at, node);
    }
    // To the compiler, constructors have no name.
    if (ts.isConstructorDeclaration(node))
      any.add(node.getStart(source) + Math.max(0, node.getText(source).search(/\bconstructor\b/)));
    const opens = ts.isFunctionLike(node) && node.body !== undefined;
    ts.forEachChild(node, (child) => visit(child, inFunction || (opens && child === node.body)));
  };
  visit(source, false);
  return { wanted, any };
}

/** Inside a loop or similar at the top of a file. */
function inBlock(node) {
  for (let at = node.parent; at !== undefined; at = at.parent)
    if (ts.isBlock(at) && !ts.isModuleBlock(at)) return true;
  return false;
}

async function compare(code, tree, paths, sample, show) {
  const service = languageService(tree.root, paths);
  const program = service.getProgram();
  const tallies = { definitions: tally(), references: tally(), callers: tally() };
  const groups = new Map();
  const candidates = [];
  const mine = new Set(paths);
  for (const path of paths) {
    const source = program.getSourceFile(join(tree.root, path));
    const symbols = await code.symbols.inFile(tree, path, never);
    if (source === undefined || symbols === undefined) continue;
    const { wanted, any } = declarations(source);
    const ours = new Map(
      symbols.definitions.map((each, nr) => [
        source.getPositionOfLineAndCharacter(each.line - 1, each.column),
        nr,
      ]),
    );
    for (const at of wanted.keys())
      count(
        tallies.definitions,
        ours.has(at) ? 'hit' : 'missed',
        show,
        () => `definition missed ${path}:${place(source, at)}`,
      );
    for (const [at, nr] of ours) {
      if (!any.has(at))
        count(tallies.definitions, 'wrong', show, () => `definition wrong ${path}:${place(source, at)}`);
      else if (wanted.has(at))
        candidates.push({
          path,
          at,
          nr,
          kind: symbols.definitions[nr].kind,
          name: symbols.definitions[nr].name,
        });
    }
  }
  const chosen = spread(candidates, sample);
  const times = [];
  const cpu = [];
  for (const each of chosen) {
    const truth = new Map();
    const own = new Set();
    for (const { references } of service.findReferences(join(tree.root, each.path), each.at) ?? []) {
      for (const { fileName, textSpan } of references) {
        const path = fileName.startsWith(`${tree.root}/`) ? fileName.slice(tree.root.length + 1) : '';
        if (!mine.has(path)) continue;
        const source = program.getSourceFile(fileName);
        truth.set(`${path}:${textSpan.start}`, { source, at: textSpan.start, path });
      }
    }
    const began = performance.now();
    const before = process.cpuUsage();
    const { value } = await code.symbols.ask(
      tree,
      { files: () => false },
      never,
      async ({ rows, references }) => {
        const named = await rows.definitionsNamed(each.name);
        const definition = named.find(({ path, nr }) => path === each.path && nr === each.nr);
        const found = await references.of(definition);
        return { found, named };
      },
    );
    times.push(performance.now() - began);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1000);
    // A definition is not a use; object literals define what others only mention.
    for (const { path, line, column } of value.named)
      own.add(`${path}:${offset(program, tree, path, line, column)}`);
    const found = new Map(
      value.found.certain
        .filter(({ path }) => mine.has(path))
        .map((use) => [`${use.path}:${offset(program, tree, use.path, use.line, use.column)}`, use]),
    );
    const possible = new Set(
      value.found.possible.map(
        (use) => `${use.path}:${offset(program, tree, use.path, use.line, use.column)}`,
      ),
    );
    const group = groups.get(each.kind) ?? tally();
    groups.set(each.kind, group);
    for (const [key, { source, at, path }] of truth) {
      const node = touching(source, at);
      // A mention in a comment is not a use.
      if (own.has(key) || isDeclarationName(node) || !isName(node)) continue;
      const isHit = found.has(key);
      const how = isHit ? 'hit' : possible.has(key) ? 'possible' : 'missed';
      count(
        tallies.references,
        how,
        show,
        () => `${each.kind} ${each.path} ${each.name} ${how} at ${path}:${place(source, at)}`,
      );
      count(group, how, 0);
      if (isCalled(node) && each.kind !== 'field')
        count(tallies.callers, found.get(key)?.kind === 'call' ? 'hit' : how === 'hit' ? 'missed' : how, 0);
    }
    for (const [key, use] of found) {
      if (truth.has(key) || own.has(key)) continue;
      count(
        tallies.references,
        'wrong',
        show,
        () => `${each.kind} ${each.path} ${each.name} wrong at ${use.path}:${use.line}:${use.column + 1}`,
      );
      count(group, 'wrong', 0);
      if (use.kind === 'call' && each.kind !== 'field') count(tallies.callers, 'wrong', 0);
    }
  }
  console.log('| | precision | recall | recall with possible | of |');
  console.log('|---|---|---|---|---|');
  for (const [name, each] of [
    ...Object.entries(tallies),
    ...[...groups].map(([kind, each]) => [`references of a ${kind}`, each]),
  ])
    print(name, each);
  console.log(`${chosen.length} definitions asked; CPU ${spreadOf(cpu)}; wall ${spreadOf(times)}`);
}

/** `p50 3 ms, p95 20 ms, p99 41 ms, most 80 ms`. */
function spreadOf(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0)} ms`;
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, most ${(sorted.at(-1) ?? 0).toFixed(0)} ms`;
}

const tally = () => ({ hit: 0, missed: 0, possible: 0, wrong: 0, shown: 0 });

function count(into, what, show, describe) {
  into[what]++;
  if (what !== 'hit' && into.shown < show) {
    into.shown++;
    console.log(describe());
  }
}

function print(name, { hit, missed, possible, wrong }) {
  const share = (part, whole) => (whole === 0 ? '–' : (part / whole).toFixed(3));
  const all = hit + missed + possible;
  console.log(
    `| ${name} | ${share(hit, hit + wrong)} | ${share(hit, all)} | ${share(hit + possible, all)} | ${all} |`,
  );
}

/** A random sample, the same every time: adding or removing a definition changes one of them, not all. */
function spread(list, most) {
  const chance = ({ path, name }) => createHash('sha1').update(`${path}\0${name}`).digest('hex');
  return list
    .map((each) => ({ each, by: chance(each) }))
    .sort((a, b) => (a.by < b.by ? -1 : 1))
    .slice(0, most)
    .map(({ each }) => each);
}

function offset(program, tree, path, line, column) {
  const source = program.getSourceFile(join(tree.root, path));
  return source === undefined ? -1 : source.getPositionOfLineAndCharacter(line - 1, column);
}

function place(source, at) {
  const { line, character } = source.getLineAndCharacterOfPosition(at);
  return `${line + 1}:${character + 1} ${source.text.slice(at, at + 30).split('\n')[0]}`;
}

function touching(source, at) {
  let found = source;
  const visit = (node) => {
    if (node.getStart(source) <= at && at < node.end) {
      found = node;
      ts.forEachChild(node, visit);
    }
  };
  visit(source);
  return found;
}

/** Names of declarations, and properties of objects: `{ name: value }` and `{ name }` give a member its value. */
function isDeclarationName(node) {
  const { parent } = node;
  return (
    parent !== undefined &&
    parent.name === node &&
    !ts.isImportSpecifier(parent) &&
    !ts.isExportSpecifier(parent) &&
    !ts.isPropertyAccessExpression(parent) &&
    !ts.isBindingElement(parent) &&
    !ts.isImportClause(parent) &&
    !ts.isPropertyAssignment(parent) &&
    !ts.isShorthandPropertyAssignment(parent)
  );
}

const isName = (node) =>
  ts.isIdentifier(node) || ts.isPrivateIdentifier(node) || ts.isStringLiteralLike(node);

function isCalled(node) {
  let at = node;
  if (at.parent && ts.isPropertyAccessExpression(at.parent) && at.parent.name === at) at = at.parent;
  while (at.parent && (ts.isNonNullExpression(at.parent) || ts.isExpressionWithTypeArguments(at.parent)))
    at = at.parent;
  const { parent } = at;
  return (
    parent !== undefined &&
    (ts.isCallExpression(parent) || ts.isNewExpression(parent) || ts.isTaggedTemplateExpression(parent)
      ? (parent.expression ?? parent.tag) === at
      : ts.isDecorator(parent) ||
        ((ts.isJsxOpeningElement(parent) || ts.isJsxSelfClosingElement(parent)) && parent.tagName === at))
  );
}
