// Files named `*.data.ts` are run when Pinhole is built; the bundles get what they export, as plain data.
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** How sources are bundled for Node.js: the program itself, and data files so that they can be run. */
export const nodeBundle = {
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
    'pg',
    'pg-native',
  ],
  // Half the bytes to read at every start; names stay, for the stacks in the log.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'silent',
  write: false,
};

/** Runs a data file and returns a module that exports the same names as JSON. */
export async function dataModule(path) {
  const { outputFiles } = await build({ ...nodeBundle, entryPoints: [path], outdir: root });
  const exported = await run(outputFiles[0].contents);
  return Object.entries(exported)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}

/** Runs a module that is in memory. It has no file, so it cannot use `require`; data does not need it. */
export function run(code) {
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

/** For esbuild. */
export const esbuildData = {
  name: 'data-files',
  setup({ onLoad }) {
    onLoad({ filter: /\.data\.ts$/ }, async ({ path }) => ({ contents: await dataModule(path) }));
  },
};

/** For Vite, which builds the page. */
export const viteData = {
  name: 'data-files',
  load: (id) => (id.endsWith('.data.ts') ? dataModule(id) : undefined),
};
