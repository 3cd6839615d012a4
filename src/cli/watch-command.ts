import { setTimeout as sleep } from 'node:timers/promises';
import type { BuiltIn } from '../command/built-in.ts';
import { readFlags } from '../command/flags.ts';
import { closeConnections } from '../connect/call-background.ts';
import type { Caller } from '../contract/caller.ts';
import type { Answer } from '../contract/engine.ts';
import { cliCaller, cliEngine } from './cli-engine.ts';
import { dim } from './colours.ts';

const REFRESH_MS = 1000;
/** An empty line, and how to quit. */
const LINES_BELOW = 2;
/** A separate screen without a cursor; closing it brings back what was there before. */
const OPEN_SCREEN = '\u001b[?1049h\u001b[?25l';
const CLOSE_SCREEN = '\u001b[?25h\u001b[?1049l';
/** Each picture overwrites the one before, which flickers less than clearing the screen first. */
const GO_TO_TOP = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

export const watch: BuiltIn = {
  usage: 'pinhole watch [SESSION] [--project PATH] [--once] [--json]',
  flags: [
    ['--project PATH', 'only sessions of this project; . for the current folder'],
    ['--once', 'show it once and end'],
    ['--json', 'print a line of JSON whenever something changes'],
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
    if (live) process.stdout.write(OPEN_SCREEN);
    let shown = '';
    let missing: string | undefined;
    try {
      while (!ended.signal.aborted) {
        const answer = await engine.run('current_session', input, {
          caller: live ? liveCaller() : cliCaller(values.json === true ? 'json' : 'text'),
        });
        // A session that does not exist will not appear by waiting; one that has not been read yet will.
        if (session_id !== undefined && !answer.ok && !answer.error.retryable) {
          missing = answer.rendered.text;
          return 1;
        }
        const { text } = answer.rendered;
        if (live) process.stdout.write(screen(answer));
        else if (text !== shown) process.stdout.write(`${text}\n`);
        shown = text;
        if (values.once === true) return answer.ok ? 0 : 1;
        await sleep(REFRESH_MS, undefined, { signal: ended.signal }).catch(() => {});
      }
    } finally {
      if (live) process.stdout.write(CLOSE_SCREEN);
      await engine.close();
      closeConnections();
      if (missing !== undefined && values.json === true) process.stdout.write(`${missing}\n`);
      else if (missing !== undefined) process.stderr.write(`pinhole: ${missing}\n`);
    }
    return 0;
  },
};

/** Wants answers that fit above the last two lines of the terminal as it is now. */
function liveCaller(): Caller {
  const caller = cliCaller('text');
  const rows = Math.max(1, process.stdout.rows - LINES_BELOW);
  return { ...caller, terminal: caller.terminal && { ...caller.terminal, rows } };
}

/** One picture: the answer, which was cut to the size of the terminal. */
function screen(answer: Answer): string {
  const all = `${answer.rendered.text}\n\n${dim('Press Ctrl-C to quit')}`;
  return `${GO_TO_TOP}${all.replaceAll('\n', `${CLEAR_LINE}\n`)}${CLEAR_LINE}${CLEAR_BELOW}`;
}
