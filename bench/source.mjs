// Bundles TypeScript sources for a bench, which runs on plain Node.
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** All exports of the given modules, named from the project's root without `.ts`. */
export async function loadSources(name, modules) {
  // Below node_modules, so that packages left outside the bundle are found from there.
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
