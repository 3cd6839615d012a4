// Bundles src into dist: main.js (the command), workers/*.js (one bundle each), web/ (the page) and grammars/.
// Files are replaced by renaming, so a process that starts during a build never reads half a file.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildPage } from './build-page.mjs';
import { dataFiles, run } from './data-files.mjs';
import { builtIns, leaner, oneChunk, REQUIRE } from './fast-start.mjs';
import { thirdParty } from './third-party.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

/** Leaves out parts of packages that every start would load and nothing uses, so that `pinhole mcp` starts faster. */
const leaveOut = {
  name: 'leave-out',
  setup({ onLoad }) {
    // Translations of messages that we word ourselves.
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
    // A validator for clients' answers to a server's questions: ours never asks any.
    onLoad({ filter: /[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
      contents:
        "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}",
    }));
  },
};

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'bundle',
  // Its CommonJS build hides its parts from bundlers.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  external: [
    '@photostructure/sqlite',
    'node:sqlite',
    '@parcel/watcher',
    '@vscode/ripgrep',
    'web-tree-sitter',
    'tree-sitter-*',
    '@vscode/tree-sitter-wasm',
  ],
  banner: { js: REQUIRE },
  // Halves the bytes to read at every start; names stay, for stack traces in the log.
  minifyWhitespace: true,
  minifySyntax: true,
  plugins: [leaveOut],
  legalComments: 'none',
  logLevel: 'silent',
  write: false,
};
const data = dataFiles(common);

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else yield path;
  }
}

/** Removes what earlier builds left and this one did not write. */
function prune(written) {
  for (const path of sources(dist)) if (!written.has(path)) rmSync(path);
}

function place(outputFiles) {
  for (const file of outputFiles) {
    mkdirSync(dirname(file.path), { recursive: true });
    let old;
    try {
      old = readFileSync(file.path);
    } catch {
      old = undefined;
    }
    if (old?.equals(file.contents)) continue;
    const temporary = `${file.path}.${process.pid}`;
    writeFileSync(temporary, file.contents);
    renameSync(temporary, file.path);
  }
}

/** Packs the grammars of packages that users do not install, and counts those packages as bundled. */
async function grammars(modules) {
  const list = join(root, 'src/code/symbols/extract/grammar-files.data.ts');
  const { GRAMMAR_FILES } = await run(await data.toModule(list));
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(GRAMMAR_FILES)
    .filter(([, [packageName]]) => dependencies[packageName] === undefined)
    .map(([name, [packageName, file]]) => {
      const path = join('node_modules', packageName, file);
      modules.add(path);
      const contents = gzipSync(readFileSync(join(root, path)), { level: 9 });
      return { path: join(dist, 'grammars', `${name}.wasm.gz`), contents };
    });
}

/** Builds everything. With `tolerant`, a part that does not build is reported and left out. */
export async function buildAll({ tolerant = false } = {}) {
  const files = [...sources(join(root, 'src'))].filter((path) => path.endsWith('.ts'));
  const workers = files.filter((path) => path.endsWith('.worker.ts'));
  const hot = join(root, 'src/cli/cli.ts');
  const parts = [
    {
      entryPoints: [{ in: 'src/main.ts', out: 'main' }],
      outdir: dist,
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      plugins: [oneChunk(files, hot), builtIns, leaveOut, data.esbuild],
    },
    ...workers.map((path) => ({ entryPoints: [path], outdir: join(dist, 'workers'), entryNames: '[name]' })),
  ];
  const failures = [];
  const written = new Set();
  const modules = new Set();
  const builders = parts.map((part) => async () => {
    const { outputFiles, metafile } = await build({
      ...common,
      plugins: [leaveOut, data.esbuild],
      metafile: true,
      ...part,
    });
    for (const path of Object.keys(metafile.inputs)) modules.add(path);
    return outputFiles.map(leaner(metafile));
  });
  await Promise.all(
    [...builders, () => buildPage(data), () => grammars(modules)].map(async (builder) => {
      try {
        const files = await builder();
        place(files);
        for (const file of files) written.add(file.path);
      } catch (error) {
        failures.push(error);
      }
    }),
  );
  if (failures.length === 0) {
    const notices = { path: join(dist, 'THIRD-PARTY.txt'), contents: Buffer.from(thirdParty(root, modules)) };
    // Generated by the program itself, from the same commands as its help.
    const page = execFileSync(process.execPath, [join(dist, 'main.js'), 'man']);
    const manual = { path: join(dist, 'pinhole.1'), contents: page };
    place([notices, manual]);
    written.add(notices.path).add(manual.path);
  }
  for (const failure of failures) console.error(String(failure.message ?? failure));
  if (tolerant) return;
  if (failures.length > 0) process.exitCode = 1;
  else prune(written);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll();
