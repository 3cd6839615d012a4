// What makes a command start faster: parts of the build with esbuild.
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** Some bundled packages are CommonJS and need `require` at run time. */
export const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

const LOADED_LATER = /\bimport\('(\.[^']+\.ts)'\)/g;

/**
 * Keeps what every command loads in one file, since Node.js needs longer to find thirty small files than to run them.
 * esbuild puts files into one chunk if the same entry points reach them, and each `import()` makes an entry point. So
 * each of them also imports `hot`, which is always loaded by then.
 */
export function oneChunk(sources, hot) {
  const targets = new Set(
    sources.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(LOADED_LATER)].map(([, name]) => resolve(dirname(path), name)),
    ),
  );
  targets.delete(hot);
  return {
    name: 'one-chunk',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) =>
        targets.has(path)
          ? { contents: `${readFileSync(path, 'utf8')}\nimport ${JSON.stringify(hot)};`, loader: 'ts' }
          : undefined,
      );
    },
  };
}

/**
 * Takes only what is used from Node's own modules. An `import` of one reads all its exports, and some of those load
 * further modules when they are read.
 */
export const builtIns = {
  name: 'built-ins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind, importer }) =>
      kind === 'import-statement' && importer.endsWith('.ts') && process.getBuiltinModule(path) !== undefined
        ? { path, namespace: 'built-in' }
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'built-in' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path)).filter((name) => /^[A-Za-z_]\w*$/.test(name));
      return {
        contents: [
          `const all = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)});`,
          'const take = (name) => all[name];',
          'export default all;',
          ...names.map(
            (name) => `const ${name}_ = /* @__PURE__ */ take('${name}'); export { ${name}_ as ${name} };`,
          ),
        ].join('\n'),
      };
    });
  },
};

/** Files without what they do not use: `require`, and esbuild's helpers, which it imports everywhere and for nothing. */
export function leaner({ outputs }) {
  const helpers = Object.keys(outputs).filter((path) => Object.keys(outputs[path].inputs).length === 0);
  return ({ path, text }) => {
    let code = text.replace(`${REQUIRE}\n`, '');
    if (/\brequire\b/.test(code)) code = text;
    for (const helper of helpers)
      code = code.replace(new RegExp(`import"[^"]*/${basename(helper).replaceAll('.', '\\.')}";`), '');
    return { path, contents: Buffer.from(code) };
  };
}
