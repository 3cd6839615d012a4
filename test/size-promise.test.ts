import { afterAll, expect, test } from 'vitest';
import { BUDGET } from '../src/contract/caller.ts';
import { countText } from '../src/contract/format.ts';
import { read } from './docs/blocks.ts';
import { makeSandbox } from './docs/sandbox.ts';
import { temporaryFolder } from './support.ts';

const SKILL = 'packaging/plugin/skills/pinhole/SKILL.md';
const PROMISE = `Over MCP an answer has at most ${countText(BUDGET.default)} bytes. A command has no limit unless \`--max-bytes N\` or \`PINHOLE_MAX_BYTES\` sets one.`;

test.each(['README.md', SKILL, 'docs/answers.md', 'docs/guide/scripting.md', 'docs/guide/faq.md'])(
  '%s makes the same promise about the size of answers',
  (page) => {
    expect(read(page)).toContain(PROMISE);
  },
);

/** The commands that the skill tells an agent to run. */
const commands = [...read(SKILL).matchAll(/`(pinhole [^`]+)`/g)]
  .map(([, command = '']) => command)
  .filter((command) => !/^pinhole (?:--help|help )/.test(command));

test('the skill teaches every kind of question, with a limit in every line', () => {
  expect(commands.filter((command) => !command.endsWith(`--max-bytes ${BUDGET.default}`))).toEqual([]);
  for (const word of ['sql', 'symbol', 'outline', 'code search', 'sessions usage', 'disk query'])
    expect(
      commands.some((command) => command.startsWith(`pinhole ${word} `)),
      word,
    ).toBe(true);
});

const sandbox = makeSandbox(temporaryFolder());
afterAll(() => sandbox.stop());

const EXAMPLES: Readonly<Record<string, string>> = { ID: '5e55a001', EVENT: '2', TURN: '0', PATH: '.' };

test('every command of the skill runs, and its answer is as small as promised', async () => {
  const log = '{ for i in $(seq 1 40000); do echo "error $i in a long output"; done; } > long.log';
  await sandbox.run(log);
  for (const command of commands) {
    const line = command.replace(/\b(?:ID|EVENT|TURN|PATH)\b/g, (word) => EXAMPLES[word] ?? word);
    const printed = await sandbox.run(line);
    expect(Buffer.byteLength(printed), line).toBeLessThanOrEqual(BUDGET.default);
    expect(printed, line).not.toBe('');
  }
});
