import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The runnable file of a `*.worker.ts` source: `dist/workers/x.worker.js`, whether this code runs from
 * sources (under Vitest, which builds first) or from dist.
 *
 * @example workerFile(new URL('./scan.worker.ts', import.meta.url))
 */
export function workerFile(source: URL): string {
  const name = basename(source.pathname).replace(/\.ts$/, '.js');
  let folder = dirname(fileURLToPath(source));
  while (!existsSync(join(folder, 'dist', 'workers', name)) && !existsSync(join(folder, 'workers', name))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`worker ${name} is not built; run: npm run build`);
    folder = parent;
  }
  const beside = join(folder, 'workers', name);
  return existsSync(beside) ? beside : join(folder, 'dist', 'workers', name);
}
