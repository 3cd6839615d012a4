// Files named `*.data.ts` run when Pinhole is built; the bundles get their exports as plain data.
import { build } from 'esbuild';

/** Runs a module from memory. It has no file, so it cannot use `require`; data does not need it. */
export function run(code) {
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

/** Data files for both bundlers; `options` are the esbuild options for our Node.js sources. */
export function dataFiles(options) {
  /** Runs a data file and returns a module that exports the same names as JSON. */
  const toModule = async (path) => {
    const { outputFiles } = await build({ ...options, banner: {}, entryPoints: [path], outdir: 'dist' });
    const exported = await run(outputFiles[0].contents);
    return Object.entries(exported)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join('\n');
  };
  const isData = /\.data\.ts$/;
  return {
    toModule,
    esbuild: {
      name: 'data-files',
      setup({ onLoad }) {
        onLoad({ filter: isData }, async ({ path }) => ({ contents: await toModule(path) }));
      },
    },
    vite: { name: 'data-files', load: (id) => (isData.test(id) ? toModule(id) : undefined) },
  };
}
