import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { BuiltIn } from '../command/built-in.ts';
import { readFlags } from '../command/flags.ts';
import { closeConnections } from '../connect/call-background.ts';
import type { Answer } from '../contract/engine.ts';
import { cliCaller, cliEngine } from './cli-engine.ts';
import { bold, dim, red } from './colours.ts';

const EVERY_MS = 1000;
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
          caller: cliCaller(values.json === true ? 'json' : 'text'),
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
        await sleep(EVERY_MS, undefined, { signal: ended.signal }).catch(() => {});
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

/** One picture: as many lines as fit on the terminal, none wider than it. */
function screen(answer: Answer): string {
  const { columns = 80, rows = 24 } = process.stdout;
  const lines = paintedLines(answer, columns).slice(0, rows - 2);
  const all = [...lines, '', dim('Press Ctrl-C to quit')];
  return `${GO_TO_TOP}${all.map((line) => line + CLEAR_LINE).join('\n')}${CLEAR_BELOW}`;
}

/** The part of the answer that decides the colours. */
const recentEvents = z.object({ recent: z.array(z.object({ status: z.string().optional() })) });

/** The lines of an answer, the first in bold and failed events in red. Its last lines are the recent events. */
export function paintedLines(answer: Answer, width: number): readonly string[] {
  const lines = answer.rendered.text.split('\n');
  const recent = answer.ok ? recentEvents.parse(answer.envelope.data).recent : [];
  const firstRecent = lines.length - recent.length;
  return lines.map((line, index) => {
    const cut = line.length < width ? line : `${line.slice(0, width - 2)}…`;
    if (index === 0) return bold(cut);
    const status = recent[index - firstRecent]?.status;
    return status === 'failed' || status === 'cancelled' ? red(cut) : cut;
  });
}
