// Counts the network use of commands, with strace: Internet sockets opened by the command or by anything it starts.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const INTERNET = /\b(?:AF|PF)_INET6?\b/;

/** Each command's socket calls, and how many of them are for the Internet; undefined without strace. */
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
