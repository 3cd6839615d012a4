// What all drivers share: a driver connects a library to an MCP server, prints {"tools":[…]}, then answers each
// line {"tool","input"} on standard input with a line {"text"}, as a program that uses the library gets it.
// Arguments: the folder with the packages, and the server as JSON {"command","args","env"}.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

export const [folder, serverJson] = process.argv.slice(2);
export const server = JSON.parse(serverJson);
export const environment = { ...process.env, ...server.env };

const packages = createRequire(join(folder, 'package.json'));

/** Imports a package from the folder. */
export const load = (name) => import(pathToFileURL(packages.resolve(name)).href);

/** Serves calls until standard input ends. */
export async function drive({ tools, call, close }) {
  say({ tools });
  for await (const line of createInterface({ input: process.stdin })) {
    const { tool, input } = JSON.parse(line);
    say({ text: await call(tool, input) });
  }
  await close?.();
  process.exit(0);
}

/** The text blocks of an MCP result. */
export const textOf = ({ content }) => content.map(({ text = '' }) => text).join('\n');

function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
