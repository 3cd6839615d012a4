// Writes TypeScript types for the OpenAPI file on standard input.
import { register } from 'node:module';
import { text } from 'node:stream/consumers';

// openapi-typescript needs the TypeScript 5 API; our version is newer and has a different one.
const hook = `export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { default: generate, astToString } = await import('openapi-typescript');
process.stdout.write(astToString(await generate(JSON.parse(await text(process.stdin)))));
