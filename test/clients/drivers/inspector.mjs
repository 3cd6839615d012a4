// The inspector's command line starts the server again for each question.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { drive, environment, folder, server, textOf } from './driver.mjs';

const home = join(folder, 'node_modules/@modelcontextprotocol/inspector');
const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));

// It passes nothing of its own environment on to the server.
const handedOn = Object.entries(server.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);

async function ask(...question) {
  const child = spawn(
    process.execPath,
    [
      join(home, bin['mcp-inspector']),
      '--cli',
      ...handedOn,
      server.command,
      ...server.args,
      ...question,
      '--format',
      'json',
    ],
    { env: environment, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return JSON.parse(await text(child.stdout)).result;
}

const { tools } = await ask('--method', 'tools/list');
await drive({
  tools: tools.map(({ name }) => name),
  call: async (tool, input) =>
    textOf(
      await ask('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(input)),
    ),
});
