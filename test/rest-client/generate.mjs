// Writes TypeScript types for an OpenAPI file, which comes on standard input.
import { register } from 'node:module';
import { text } from 'node:stream/consumers';

// openapi-typescript needs the API of TypeScript 5; ours is newer and has another one.
const hook = `export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { default: generate, astToString } = await import('openapi-typescript');
process.stdout.write(astToString(await generate(JSON.parse(await text(process.stdin)))));
