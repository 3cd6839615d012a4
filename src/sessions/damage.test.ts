import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, claude, codex, gemini, lines, text, thinking } from '../../test/fixtures/sessions/logs.ts';
import { parseBytes } from '../../test/fixtures/sessions/parse.ts';

const log = claude({ id: 'aaaaaaaa-1111-4111-8111-111111111111' });
const answer = gemini.answer('m1');
const SOURCES = {
  claude_code: lines([
    log.prompt('go'),
    log.answer('msg_1', thinking('hm')),
    log.answer('msg_1', call('t', 'Bash', { command: 'ls' })),
    log.result('t', [{ type: 'text', text: 'ä 文 🙂' }]),
    log.record('system', { subtype: 'compact_boundary', content: 'compacted' }),
    log.record('attachment', {
      attachment: { type: 'queued_command', prompt: [{ type: 'text', text: 'more' }] },
    }),
    log.answer('msg_2', text('done')),
    { type: 'cost-state', modelUsage: { m: { inputTokens: 1 } } },
  ]),
  codex: lines([
    codex.meta('01a1dcbe-0000-7000-8000-000000000001', { source: { subagent: 'review' } }),
    codex.user('go'),
    codex.userItem('go'),
    codex.call('a', 'exec_command', { cmd: 'ls' }),
    codex.event({
      type: 'item_completed',
      item: { type: 'FileChange', id: 'a', changes: { x: { type: 'add' } }, status: 'completed' },
    }),
    codex.output('a', [{ type: 'input_text', text: 'x' }]),
    codex.tokens(10, 10),
    codex.event({ type: 'thread_rolled_back', num_turns: 3 }),
  ]),
  gemini: lines([
    gemini.header('s'),
    gemini.user('u', [{ text: 'go' }]),
    { ...answer, toolCalls: [gemini.tool('c', 'run_shell_command', { command: 'x' }, 'Exit Code: 1')] },
    { $set: { messages: [gemini.user('u', 'go'), answer] } },
    { $rewindTo: 'u' },
  ]),
} as const;

/** Values of every type where a reader expects another. */
const WRONG = ['null', '[]', '{}', '7', '"x"', 'true', '-1e999', '"__proto__"', '[[]]'];

test('whatever is done to a log, reading it ends without an exception and every event has its place', () => {
  const change = fc.record({
    provider: fc.constantFrom('claude_code', 'codex', 'gemini'),
    document: fc.boolean(),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    swaps: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...WRONG)), { maxLength: 6 }),
    bytes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
    doubled: fc.nat(10),
    dropped: fc.nat(10),
  });
  fc.assert(
    fc.property(change, ({ provider, document, cut, swaps, bytes, doubled, dropped }) => {
      let rows = SOURCES[provider].trimEnd().split('\n');
      rows = rows.flatMap((row, index) => (index === dropped ? [] : index === doubled ? [row, row] : [row]));
      for (const [at, value] of swaps) {
        const index = at % rows.length;
        let seen = 0;
        rows[index] = (rows[index] ?? '').replace(/:("[^"\\]*"|\d+|\{|\[)/g, (whole) =>
          seen++ === at % 7 ? `:${value}` : whole,
        );
      }
      const asDocument = document && provider === 'gemini';
      const content = asDocument
        ? `{"sessionId":"s","messages":[${rows.join(',\n')}],"kind":"main"}`
        : `${rows.join('\n')}\n`;
      const whole = Buffer.from(content);
      const damaged = Buffer.from(whole.subarray(0, Math.ceil(whole.length * cut)));
      for (const [at, value] of bytes) if (damaged.length > 0) damaged[at % damaged.length] = value;
      const { events, consumed } = parseBytes(provider, asDocument ? 'chat.json' : 'log.jsonl', damaged);
      expect(consumed).toBeLessThanOrEqual(damaged.length);
      expect(events.map((event) => event.index)).toEqual(events.map((_, index) => index));
      for (const event of events) expect(event.offset + event.length).toBeLessThanOrEqual(damaged.length);
    }),
    { numRuns: 3000 },
  );
});
