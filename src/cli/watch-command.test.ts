import { expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../contract/engine.ts';
import { paintedLines } from './watch-command.ts';

/** An answer about a session with these events, as text for a terminal. */
function answerWith(statuses: readonly (string | undefined)[]): Answer {
  const events = statuses.map(
    (status, index) => `e${index}  10:00:00  Bash  ${status ?? ''}  npm test failed`,
  );
  const text = ['5e55a001  claude_code', 'context  10 %', '', ...events].join('\n');
  return {
    ok: true,
    envelope: { data: { recent: statuses.map((status) => ({ status })) }, meta: {} },
    rendered: { text, bytes: text.length, tokens: 1 },
  };
}

test('failed and cancelled events are red by their status, not by what their text says', () => {
  const { isTTY } = process.stdout;
  const { NO_COLOR, TERM } = process.env;
  Object.assign(process.stdout, { isTTY: true });
  process.env.NO_COLOR = '';
  process.env.TERM = 'xterm';
  onTestFinished(() => {
    Object.assign(process.stdout, { isTTY });
    Object.assign(process.env, { NO_COLOR: NO_COLOR ?? '', TERM: TERM ?? '' });
  });
  const lines = paintedLines(answerWith([undefined, 'ok', 'failed', 'pending', 'cancelled']), 80);
  const colourOf = (line: string) => ['1', '31'].find((code) => line.startsWith(`\u001b[${code}m`));
  expect(lines.map(colourOf)).toEqual([
    ...['1', undefined, undefined],
    ...[undefined, undefined, '31', undefined, '31'],
  ]);
});

test('lines wider than the terminal are cut, and an error is shown as it is', () => {
  expect(paintedLines(answerWith(['ok']), 12)).toEqual(['5e55a001  …', 'context  1…', '', 'e0  10:00:…']);
  const rendered = { text: 'No session yet.', bytes: 15, tokens: 4 };
  const error = { code: 'session_not_found', message: 'No session yet.', retryable: false } as const;
  expect(paintedLines({ ok: false, error, rendered }, 80)).toEqual(['No session yet.']);
});
