// Bundles TypeScript sources for benches, which run on plain Node.
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildAll } from '../scripts/build.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** All exports of the given modules, which are paths from the project root without `.ts`. */
export async function loadSources(name, modules) {
  // Below node_modules, so that packages outside the bundle are found from there.
  const outfile = join(root, 'node_modules', '.cache', 'pinhole-bench', `${name}.mjs`);
  mkdirSync(dirname(outfile), { recursive: true });
  await build({
    stdin: {
      contents: modules.map((path) => `export * from './${path}.ts';`).join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    outfile,
    logLevel: 'error',
  });
  return await import(`${pathToFileURL(outfile).href}?${Date.now()}`);
}

/** Builds the program and one of the entries in bench/; returns the file to run in its own process. */
export async function buildEntry(name) {
  await buildAll({ tolerant: true });
  // Not in dist: another build would delete it.
  const outfile = join(root, 'node_modules', '.cache', 'pinhole-bench', `${name}.js`);
  await build({
    absWorkingDir: root,
    entryPoints: [`bench/${name}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    external: ['@photostructure/sqlite', '@parcel/watcher'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return outfile;
}
