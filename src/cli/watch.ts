import { setTimeout as sleep } from 'node:timers/promises';
import { closeConnections } from '../daemon/http-client.ts';
import type { BuiltIn } from './built-in.ts';
import { cliCaller, cliEngine } from './engine.ts';
import { readFlags } from './flags.ts';
import { bold, dim, red } from './style.ts';

const EVERY_MS = 1000;
/** A screen of its own, without a cursor, which leaves what was there before untouched. */
const OPEN = '\u001b[?1049h\u001b[?25l';
const CLOSE = '\u001b[?25h\u001b[?1049l';
/** Moves to the top and clears what is below, without the flicker of clearing first. */
const HOME = '\u001b[H';
const REST_OF_LINE = '\u001b[K';
const REST_OF_SCREEN = '\u001b[J';

export const watch: BuiltIn = {
  usage: 'pinhole watch [SESSION] [--project PATH] [--once] [--json]',
  flags: [
    ['--project PATH', 'only sessions of this project; . for the current folder'],
    ['--once', 'show it once and end'],
    ['--json', 'a line of JSON whenever something changed'],
  ],
  examples: ['pinhole watch', 'pinhole watch --project .', 'pinhole watch fb3cff44'],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      project: { type: 'string' },
      once: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    });
    const engine = cliEngine();
    const [session_id] = positionals;
    const input = { session_id, project: values.project };
    const ended = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
    const live = process.stdout.isTTY === true && values.once !== true && values.json !== true;
    if (live) process.stdout.write(OPEN);
    let shown = '';
    let missing: string | undefined;
    try {
      while (!ended.signal.aborted) {
        const answer = await engine.run('current_session', input, {
          caller: cliCaller(values.json === true ? 'json' : 'text'),
        });
        // One that is named and not there will not come by waiting; one that is not read yet will.
        if (session_id !== undefined && !answer.ok && !answer.error.retryable) {
          missing = answer.rendered.text;
          return 1;
        }
        const { text } = answer.rendered;
        if (live) process.stdout.write(screen(text));
        else if (text !== shown) process.stdout.write(`${text}\n`);
        shown = text;
        if (values.once === true) return answer.ok ? 0 : 1;
        await sleep(EVERY_MS, undefined, { signal: ended.signal }).catch(() => {});
      }
    } finally {
      if (live) process.stdout.write(CLOSE);
      await engine.close();
      closeConnections();
      if (missing !== undefined && values.json === true) process.stdout.write(`${missing}\n`);
      else if (missing !== undefined) process.stderr.write(`pinhole: ${missing}\n`);
    }
    return 0;
  },
};

/** One picture: as many lines as the terminal has, none longer than it is wide. */
function screen(text: string): string {
  const { columns = 80, rows = 24 } = process.stdout;
  const lines = text.split('\n').slice(0, rows - 2);
  const painted = lines.map((line, index) => {
    const cut = line.length < columns ? line : `${line.slice(0, columns - 2)}…`;
    if (index === 0) return bold(cut);
    return /^ *e\d+ .* (?:failed|cancelled) /.test(cut) ? red(cut) : cut;
  });
  const all = [...painted, '', dim('Ctrl-C ends')];
  return `${HOME}${all.map((line) => line + REST_OF_LINE).join('\n')}${REST_OF_SCREEN}`;
}
