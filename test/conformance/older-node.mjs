// The conformance suite imports fs.globSync, which Node.js has since version 22. Only commands that we do not use call
// it, so on an older Node.js the suite gets an `fs` that has the name and nothing behind it.
import fs from 'node:fs';
import { register } from 'node:module';

if (!('globSync' in fs)) {
  const substitute = asModule(`
    export * from 'node:fs';
    export const globSync = () => { throw new Error('fs.globSync needs Node.js 22'); };
  `);
  register(
    asModule(`
      export const resolve = (specifier, context, next) =>
        specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
          ? { url: ${JSON.stringify(substitute)}, shortCircuit: true }
          : next(specifier, context);
    `),
  );
}

function asModule(source) {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
