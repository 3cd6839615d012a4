// Builds web into dist/web with Vite. Skipped when nothing that goes into it has changed since.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** Changes with any input of the page: its sources, what it shares with src, and the packages. */
function stampOf() {
  const hash = createHash('sha256');
  const shared = [
    'src/contract/people.ts',
    'src/code/languages.ts',
    'package-lock.json',
    'scripts/build-page.mjs',
  ];
  for (const path of [...[...filesIn(source)].sort(), ...shared.map((name) => join(root, name))]) {
    hash.update(relative(root, path)).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** What the last build was made from and wrote, when all of it is still there. */
function lastBuild() {
  if (!existsSync(stampFile)) return undefined;
  const last = JSON.parse(readFileSync(stampFile, 'utf8'));
  return last.names.every((name) => existsSync(join(target, name))) ? last : undefined;
}

/** The files of the page as `{ path, contents }`; those of the last build when they still hold. */
export async function buildPage() {
  if (!existsSync(join(source, 'index.html'))) return [];
  const stamp = stampOf();
  const last = lastBuild();
  if (last?.stamp === stamp) {
    const paths = [...last.names.map((name) => join(target, name)), stampFile];
    return paths.map((path) => ({ path, contents: readFileSync(path) }));
  }
  const { build } = await import('vite');
  const { output } = await build({
    root: source,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: target,
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  });
  const files = output.map((file) => ({
    path: join(target, file.fileName),
    contents: Buffer.from(file.type === 'chunk' ? file.code : file.source),
  }));
  for (const path of filesIn(join(source, 'public'))) {
    const name = relative(join(source, 'public'), path);
    files.push({ path: join(target, name), contents: readFileSync(path) });
  }
  // Last, so that a build that was broken off is done again.
  const names = files.map(({ path }) => relative(target, path));
  files.push({ path: stampFile, contents: Buffer.from(JSON.stringify({ stamp, names })) });
  return files;
}
