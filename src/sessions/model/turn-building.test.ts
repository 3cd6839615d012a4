import { expect, test } from 'vitest';
import { call, claude, lines, text } from '../../../test/fixtures/sessions/logs.ts';
import { parseBytes } from '../../../test/fixtures/sessions/parse.ts';
import { outcomeOf } from './event-rows.ts';

/** Commands that go well (`ls`), fail (`!make`), and words of the model (`"`). */
function outcome(doings: readonly string[]) {
  const log = claude({ id: 'aaaaaaaa-1111-4111-8111-111111111111' });
  const records = doings.flatMap((doing, n) => {
    const message = `msg_000000000000000${n}`;
    if (doing === '"') return [log.answer(message, text('so it is'))];
    const error = doing.startsWith('!');
    return [
      log.answer(message, call(`t${n}`, 'Bash', { command: doing.replace('!', '') })),
      log.result(`t${n}`, error ? 'Exit code 1' : doing.includes('|') ? 'FAIL\tpkg' : 'fine', { error }),
    ];
  });
  const { state } = parseBytes('claude_code', 'x.jsonl', Buffer.from(lines([log.prompt('go'), ...records])));
  return state.turn === undefined ? undefined : outcomeOf(state.turn);
}

test.each([
  ['nothing failed', ['ls', '"'], 'success'],
  ['no calls', ['"'], 'success'],
  ['no answer', [], 'partial'],
  ['failed and fixed', ['!make', 'ls', 'make', '"'], 'success'],
  ['a check that failed once and was not run again', ['!make', 'vi x', '"'], 'partial'],
  ['a check that failed twice and was not run again', ['!make', 'vi x', '!make', 'vi x', '"'], 'failed'],
  [
    'a check that failed and then passed before another',
    ['!make lint', 'make lint && make test', '"'],
    'success',
  ],
  ['a check whose second result is forgotten', ['!make lint', 'make lint; make test', '"'], 'partial'],
  ['tests that still fail behind a pipe', ['ls', 'go test | tail', '"'], 'partial'],
  ['a search without a match at the end', ['ls', 'make', '!grep x', '"'], 'partial'],
  ['the last call failed and nothing was said', ['ls', '!make'], 'failed'],
  ['the last call failed again', ['!make', 'ls', '!make', '"'], 'failed'],
  ['it failed, then other things failed', ['ls', '!make', '!grep x', '"'], 'partial'],
  ['all calls failed', ['!make', '"'], 'failed'],
])('%s', (_, doings, expected) => {
  expect(outcome(doings)).toBe(expected);
});
