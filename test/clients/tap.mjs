// node tap.mjs LOG COMMAND ARGS…: runs an MCP server over stdio and writes every message in both directions to LOG.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log, command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

function pass(from, input, output) {
  createInterface({ input })
    .on('line', (line) => {
      appendFileSync(log, `${JSON.stringify({ pid: process.pid, from, line })}\n`);
      output.write(`${line}\n`);
    })
    .on('close', () => output.end());
}

pass('client', process.stdin, server.stdin);
pass('server', server.stdout, process.stdout);
server.on('exit', (code) => process.exit(code ?? 1));
