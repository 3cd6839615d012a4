// Counts what commands ask of the network, with strace: sockets of the Internet families, opened by the command or by
// anything that it starts.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const INTERNET = /\b(?:AF|PF)_INET6?\b/;

/** The calls of each command about sockets, and how many of them are about the Internet; undefined without strace. */
export function networkCalls(main, commands, env, work) {
  if (spawnSync('strace', ['-V']).status !== 0) return undefined;
  return commands.map((words) => {
    const trace = join(work, 'network.trace');
    const { status, stderr } = spawnSync(
      'strace',
      ['-f', '-qq', '-e', 'trace=%network', '-o', trace, process.execPath, main, ...words, '--local'],
      { env, encoding: 'utf8', cwd: work, timeout: 300_000 },
    );
    const calls = readFileSync(trace, 'utf8').split('\n').filter(Boolean);
    rmSync(trace);
    return {
      command: words.slice(0, 2).join(' '),
      ok: status === 0,
      error: status === 0 ? undefined : stderr,
      calls: calls.length,
      internet: calls.filter((line) => INTERNET.test(line)).length,
    };
  });
}
