// Builds web into dist/web with Vite. Skipped when nothing that goes into it has changed since.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { run } from './data-files.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'web');
const target = join(root, 'dist', 'web');
// Beside the page, not in it: what is in the folder of the page is packed and served.
const stampFile = join(root, 'dist', 'web.stamp');

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

/**
 * Changes with any input of the page: its sources, the packages, and the files of src that the last build read. A file
 * of src can only be added to those by a change in one of the others.
 */
async function stampOf(shared, data) {
  const hash = createHash('sha256');
  const own = [...filesIn(source), join(root, 'package-lock.json'), join(root, 'scripts', 'build-page.mjs')];
  for (const path of [...own, ...shared.map((name) => join(root, name))].sort()) {
    const text = path.endsWith('.data.ts') ? await data.toModule(path) : readFileSync(path);
    hash.update(relative(root, path)).update(text);
  }
  return hash.digest('hex');
}

/**
 * The paths of the views, which the server answers with the page, and the files of each: a browser fetches them
 * together with those of the frame, instead of after running it.
 */
async function viewFiles(output) {
  const { code } = await transform(readFileSync(join(source, 'src', 'views.ts')), { loader: 'ts' });
  const { VIEWS } = await run(code);
  const chunks = output.filter(({ type }) => type === 'chunk');
  const filesOf = (chunk, known = new Set()) => {
    if (chunk === undefined || known.has(chunk.fileName)) return known;
    known.add(chunk.fileName);
    for (const css of chunk.viteMetadata?.importedCss ?? []) known.add(css);
    for (const name of chunk.imports)
      filesOf(
        chunks.find(({ fileName }) => fileName === name),
        known,
      );
    return known;
  };
  const frame = filesOf(chunks.find(({ isEntry }) => isEntry));
  return VIEWS.map(({ path, load }) => {
    const [, module] = /import\("(.+?)"\)/.exec(String(load)) ?? [];
    const own = chunks.find(({ facadeModuleId }) => facadeModuleId === join(source, 'src', module));
    return { path, files: [...filesOf(own)].filter((name) => !frame.has(name)) };
  });
}

/** What asks for the first answers, with all that it needs. */
const FIRST = { name: 'first', test: /[\\/]web[\\/]src[\\/]first\.ts$/, priority: 1 };

/**
 * Small modules of several views in one file: two dozen files of a few hundred bytes take a browser longer to fetch and
 * compile than one that holds them all. Long lists and code are a file of their own, since Home has neither.
 */
const SHARED = {
  name: 'frame',
  test: /^(?!.*(@tanstack|virtual-list|code-text|use-highlight))/,
  minShareCount: 2,
  maxModuleSize: 20_000,
};

/** Lets a browser run the first file as soon as it is there, without the files that it waits for otherwise. */
function startFirst(html, output) {
  const { fileName } = output.find(({ name }) => name === FIRST.name);
  const script = `<script type="module" crossorigin async src="/${fileName}"></script>`;
  return html.replace('<script type="module"', `${script}$&`);
}

/** What a file of the build has in it. */
function contentsOf(file, output) {
  if (file.type === 'chunk') return file.code;
  return file.fileName === 'index.html' ? startFirst(String(file.source), output) : file.source;
}

/** What the last build was made from and wrote, when all of it is still there. */
function lastBuild() {
  if (!existsSync(stampFile)) return undefined;
  const last = JSON.parse(readFileSync(stampFile, 'utf8'));
  // An older build script wrote no list of shared files.
  if (last.shared === undefined) return undefined;
  const needed = [
    ...last.names.map((name) => join(target, name)),
    ...last.shared.map((name) => join(root, name)),
  ];
  return needed.every((path) => existsSync(path)) ? last : undefined;
}

/** The files of the page as `{ path, contents }`; those of the last build when they still hold. */
export async function buildPage(data) {
  if (!existsSync(join(source, 'index.html'))) return [];
  const last = lastBuild();
  if (last !== undefined && last.stamp === (await stampOf(last.shared, data))) {
    const paths = [...last.names.map((name) => join(target, name)), stampFile];
    return paths.map((path) => ({ path, contents: readFileSync(path) }));
  }
  const { build } = await import('vite');
  const { output } = await build({
    root: source,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [data.vite],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: target,
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: { output: { codeSplitting: { groups: [FIRST, SHARED] } } },
    },
  });
  const files = output.map((file) => ({
    path: join(target, file.fileName),
    contents: Buffer.from(contentsOf(file, output)),
  }));
  for (const path of filesIn(join(source, 'public'))) {
    const name = relative(join(source, 'public'), path);
    files.push({ path: join(target, name), contents: readFileSync(path) });
  }
  files.push({
    path: join(target, '.views.json'),
    contents: Buffer.from(JSON.stringify(await viewFiles(output))),
  });
  const shared = output
    .flatMap((file) => file.moduleIds ?? [])
    .filter((id) => id.startsWith(join(root, 'src')))
    .map((id) => relative(root, id));
  // Last, so that an interrupted build is done again.
  const names = files.map(({ path }) => relative(target, path));
  const made = { stamp: await stampOf(shared, data), names, shared };
  files.push({ path: stampFile, contents: Buffer.from(JSON.stringify(made)) });
  return files;
}
