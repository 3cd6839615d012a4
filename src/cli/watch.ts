import { setTimeout as sleep } from 'node:timers/promises';
import { closeConnections } from '../daemon/http-client.ts';
import type { BuiltIn } from './built-in.ts';
import { cliCaller, cliEngine } from './engine.ts';
import { readFlags } from './flags.ts';
import { messageOf } from './operation-command.ts';
import { dim } from './style.ts';

const EVERY_MS = 1000;
/** Moves to the top and clears what is below, without the flicker of clearing first. */
const HOME = '\u001b[H\u001b[J';

export const watch: BuiltIn = {
  usage: 'pinhole watch [SESSION] [--project PATH] [--once]',
  flags: [
    ['--project PATH', 'only sessions of this project; . for the current folder'],
    ['--once', 'show it once and end'],
  ],
  examples: ['pinhole watch', 'pinhole watch --project .', 'pinhole watch fb3cff44'],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      project: { type: 'string' },
      once: { type: 'boolean', default: false },
    });
    const engine = cliEngine();
    const [session_id] = positionals;
    const input = { session_id, project: values.project };
    const ended = new AbortController();
    process.once('SIGINT', () => ended.abort());
    const live = process.stdout.isTTY === true && values.once !== true;
    let shown = '';
    while (!ended.signal.aborted) {
      const answer = await engine.run('current_session', input, { caller: cliCaller('text') });
      const text = answer.ok ? answer.text : messageOf(answer.text);
      if (live) process.stdout.write(`${HOME}${text}\n\n${dim('Ctrl-C ends')}\n`);
      else if (text !== shown) process.stdout.write(`${text}\n`);
      shown = text;
      if (values.once === true) {
        closeConnections();
        return answer.ok ? 0 : 1;
      }
      await sleep(EVERY_MS, undefined, { signal: ended.signal }).catch(() => {});
    }
    closeConnections();
    return 0;
  },
};
