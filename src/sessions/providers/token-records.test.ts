import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CLIENT_LOGS, filesOf } from '../../../test/fixtures/client-logs/fixtures.ts';
import { tokensDiffer } from '../../../test/fixtures/sessions/token-records.ts';
import { PROVIDERS } from './index.ts';

const lines = CLIENT_LOGS.flatMap((log) =>
  filesOf(log)
    .filter((path) => path.endsWith('.jsonl'))
    .flatMap((path) => readFileSync(join(log.home, path), 'utf8').split('\n'))
    .filter((line) => line.startsWith('{')),
);
const providers = PROVIDERS.filter(({ tokenRecords }) => tokenRecords !== undefined);

test('the values of a record say the same about tokens as the whole record, in logs of every agent', () => {
  expect(providers.map(({ id }) => id)).toEqual(['claude_code', 'codex']);
  const counted = { claude_code: 0, codex: 0 };
  for (const provider of providers)
    for (const line of lines) {
      const { difference, counts } = tokensDiffer(provider, line);
      expect(difference && { line, difference }).toBeUndefined();
      if (counts) counted[provider.id === 'codex' ? 'codex' : 'claude_code']++;
    }
  expect(counted.claude_code).toBeGreaterThan(5);
  expect(counted.codex).toBeGreaterThan(5);
});

test('the same with fields in other orders, escapes, spaces, odd values and broken lines', () => {
  const withTokens = lines.filter(
    (line) => /"usage"|"token_|"turn_context/.test(line) && line.length < 20_000,
  );
  fc.assert(
    fc.property(fc.constantFrom(...withTokens), fc.infiniteStream(fc.nat(999)), (line, dice) => {
      const changed = changedLine(line, () => dice.next().value ?? 0);
      for (const provider of providers) {
        const { difference } = tokensDiffer(provider, changed);
        expect(difference && { changed, difference }).toBeUndefined();
      }
    }),
    { numRuns: 400 },
  );
});

const ODD: readonly unknown[] = [null, true, '', 'é"\\', 1e300, -5, 0.4, 2 ** 70, [], {}, [{}], '3'];

/** A line with the same or with other values, written in another way. */
function changedLine(line: string, roll: () => number): string {
  const shuffled = (value: unknown): unknown => {
    if (roll() < 12) return ODD[roll() % ODD.length];
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, inner]) => [roll(), name, shuffled(inner)] as const);
    const order = roll() < 500 ? entries : entries.toSorted(([a], [b]) => a - b);
    return Object.fromEntries(order.map(([, name, inner]) => [name, inner]));
  };
  let text = JSON.stringify(shuffled(JSON.parse(line)));
  if (roll() < 300)
    text = JSON.stringify(JSON.parse(text), null, 1).replaceAll('\n', roll() < 500 ? '' : '\t');
  if (roll() < 200)
    text = text.replace(/[a-z](?=\w)/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
  if (roll() < 200) text = text.replace(/,"(\w+)":/, ',"$1":7,"$1":');
  if (roll() < 150) text = text.slice(0, roll() * 7) + text.slice(roll() * 9);
  return roll() < 100 ? `${text}\r` : text;
}
