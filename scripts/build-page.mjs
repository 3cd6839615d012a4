// Builds web into dist/web with Vite. Skipped if none of its inputs has changed since the last build.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { run } from './data-files.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'web');
const target = join(root, 'dist', 'web');
// Beside the page's folder, not in it: everything in that folder is packed and served.
const stampFile = join(root, 'dist', 'web.stamp');

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

/**
 * Changes with any input of the page: its sources, the packages, and the files of src that the last build read. Only a
 * change in one of these can bring in another file of src.
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
 * The paths of the views, for which the server returns the page, and the files of each: a browser fetches them together
 * with those of the frame, not only after running it.
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

/** The code that sends the first requests, with everything it needs. */
const FIRST = { name: 'first', test: /[\\/]web[\\/]src[\\/]first\.ts$/, priority: 1 };

/**
 * Small modules that several views share, in one file: two dozen files of a few hundred bytes take a browser longer to
 * fetch and compile than one file with all of them. Long lists and code have their own file, since Home has neither.
 */
const SHARED = {
  name: 'frame',
  test: /^(?!.*(@tanstack|virtual-list|code-text|use-highlight))/,
  minShareCount: 2,
  maxModuleSize: 20_000,
};

/** What sets the theme, inside the page: a file of its own would hold up everything after it. */
async function withTheme(html) {
  const { code } = await transform(readFileSync(join(source, 'theme.js')), { minify: true });
  return html.replace('<!-- theme.js -->', `<script>${code.trim()}</script>`);
}

/** Lets a browser run the first file as soon as it arrives, instead of waiting for the other files. */
function startFirst(html, output) {
  const { fileName } = output.find(({ name }) => name === FIRST.name);
  const script = `<script type="module" crossorigin async src="/${fileName}"></script>`;
  return html.replace('<script type="module"', `${script}$&`);
}

/** The contents of a file of the build. */
async function contentsOf(file, output) {
  if (file.type === 'chunk') return file.code;
  return file.fileName === 'index.html' ? withTheme(startFirst(String(file.source), output)) : file.source;
}

/** The inputs and outputs of the last build, if all outputs are still there. */
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

/** The files of the page as `{ path, contents }`; those of the last build if they are up to date. */
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
  const files = await Promise.all(
    output.map(async (file) => ({
      path: join(target, file.fileName),
      contents: Buffer.from(await contentsOf(file, output)),
    })),
  );
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
  // Last, so that an interrupted build is repeated.
  const names = files.map(({ path }) => relative(target, path));
  const made = { stamp: await stampOf(shared, data), names, shared };
  files.push({ path: stampFile, contents: Buffer.from(JSON.stringify(made)) });
  return files;
}
