import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { completions } from '../src/cli/completions.ts';
import { temporaryFolder } from './support.ts';

const valuesOf = async (...words: string[]) => (await completions(words)).values.map(({ value }) => value);

describe('what may come next', () => {
  test.each([
    [['sess'], ['sessions', 'session']],
    [
      ['disk', 'sel'],
      ['selection', 'selections'],
    ],
    [
      ['disk', 'selection', ''],
      ['create', 'update', 'delete', 'entries'],
    ],
    [
      ['help', 'disk', 'query', ''],
      ['show', 'delete'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['usage', 'we'], ['week']],
    [
      ['sessions', 'usage', ''],
      ['day', 'week', 'month', 'project', 'model', 'agent', 'session', 'machine', 'person'],
    ],
    [
      ['disk', 'cd', '--sort', ''],
      ['size', 'name', 'modified', 'entries'],
    ],
    [['disk', 'cd', '--sort', '=', 'na'], ['name']],
    [['disk', 'cd', '--sort=na'], ['--sort=name']],
    [
      ['setup', '--scope', ''],
      ['user', 'project'],
    ],
    [['sessions', 'show', ''], ['last']],
    [['session', 'list', '--so'], ['--sort']],
    [['disk', 'selection', 'create', '--na'], ['--name']],
    [['code', 'search', '-'], expect.arrayContaining(['-i', '-w', '-C', '-g', '--glob', '--help'])],
    [
      ['job', '--w'],
      ['--wait-seconds', '--wait'],
    ],
  ])('%j', async (words, expected) => {
    expect(await valuesOf(...words)).toEqual(expected);
  });

  test('no flag is offered with its commas or twice', async () => {
    const flags = await valuesOf('grep', '-');
    expect(flags.filter((flag) => !/^--?[\w.-]+$/.test(flag))).toEqual([]);
    expect(new Set(flags).size).toBe(flags.length);
    expect(flags).toEqual(expect.arrayContaining(['-i', '-uuu', '--hidden']));
  });

  test('files where a path may be', async () => {
    expect((await completions(['grep', 'x', ''])).files).toBe(true);
    expect((await completions(['disk', 'cd', ''])).files).toBe(true);
    expect((await completions(['sessions', 'show', ''])).files).toBe(false);
    expect((await completions(['disk', 'cd', '--limit', ''])).files).toBe(false);
  });
});

/* The scripts, in the shells themselves. */

const folder = temporaryFolder();
const bin = join(folder, 'bin');
mkdirSync(bin);
mkdirSync(join(folder, 'media'));
writeFileSync(
  join(bin, 'pinhole'),
  `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/main.js')}" "$@"\n`,
);
chmodSync(join(bin, 'pinhole'), 0o755);
const env = { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder, TERM: 'dumb' };

function has(shell: string): boolean {
  const found = spawnSync(shell, ['-c', 'exit 0'], { env }).status === 0;
  if (!found)
    process.stderr.write(`\nNOT TESTED: ${shell} is not installed, so its completion was not tried.\n`);
  return found;
}

const run = (shell: string, args: readonly string[]) =>
  execFileSync(shell, args, { env, cwd: folder, encoding: 'utf8', timeout: 60_000 });

/** Lines, what is typed, and what the shell offers for it. */
const LINES: readonly (readonly [string, readonly string[]])[] = [
  ['disk selection ', ['create', 'delete', 'entries', 'update']],
  ['completion ', ['bash', 'fish', 'zsh']],
  ['disk cd --sort ', ['entries', 'modified', 'name', 'size']],
  ['disk selection create --na', ['--name']],
  ['start med', ['media/']],
];

const sorted = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .sort();

test('bash', () => {
  for (const [typed, expected] of LINES) {
    const words = `pinhole ${typed}`.split(' ');
    const script = `source <(pinhole completion bash)
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
      _pinhole; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const offered = sorted(run('bash', ['--norc', '-c', script]));
    // The slash comes with \`compopt -o filenames\`, which only a prompt adds.
    expect(offered, typed).toEqual(expected.map((word) => word.replace(/\/$/, '')));
  }
});

test.skipIf(!has('fish'))('fish', () => {
  for (const [typed, expected] of LINES) {
    const script = `pinhole completion fish | source; complete -C 'pinhole ${typed}'`;
    const offered = sorted(run('fish', ['--no-config', '-c', script])).map((line) => line.split('\t')[0]);
    expect(offered, typed).toEqual(expected);
  }
});

/** Types a line and a Tab at a prompt of zsh, and prints what its completion was given. */
const AT_PROMPT = `zmodload zsh/zpty
zpty prompt zsh -f -i
zpty -w prompt 'PS1=; unsetopt zle_bracketed_paste; autoload -Uz compinit && compinit -u -D; source <(pinhole completion zsh); compadd() { builtin compadd -O found "$@"; print -rl -- "OFFER "$^found; builtin compadd "$@" }; print READY'
zpty -r prompt line '*READY*READY*'
zpty -w -n prompt $'pinhole TYPED\\t'
integer quiet=0 waited=0
while (( waited++ < 600 && quiet < 10 )); do
  if zpty -rt prompt line; then print -rn -- "$line"; [[ $line == *OFFER* ]] && quiet=1
  else sleep 0.05; (( quiet )) && (( quiet++ )); fi
done
zpty -d prompt`;

test.skipIf(!has('zsh'))('zsh', () => {
  for (const [typed, expected] of LINES.slice(0, 4)) {
    const printed = run('zsh', ['-f', '-c', AT_PROMPT.replace('TYPED', typed)]);
    const offered = [...printed.matchAll(/OFFER (\S+)/g)].map(([, word]) => word);
    expect([...new Set(offered)].sort(), typed).toEqual(expected);
  }
  // In a file of fpath it needs its first line.
  expect(run('zsh', ['-f', '-c', 'pinhole completion zsh']).split('\n')[0]).toBe('#compdef pinhole');
  // Before compinit it does not fail.
  expect(spawnSync('zsh', ['-f', '-c', 'source <(pinhole completion zsh)'], { env }).status).toBe(0);
});
