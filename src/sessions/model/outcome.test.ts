import { describe, expect, test } from 'vitest';
import { exitCodeIn, outcomeOfFlag } from './outcome.ts';

describe('outcome of a tool', () => {
  test('an exit code is at one of the ends of a long output', () => {
    expect(exitCodeIn(`${'line\n'.repeat(1000)}Exit Code: 3\nSignal: 0`)).toBe(3);
    expect(exitCodeIn(`${'line\n'.repeat(300)}Exit code: 3\n${'line\n'.repeat(300)}`)).toBeUndefined();
  });

  test('a flag of the agent decides, the text adds the code', () => {
    expect(outcomeOfFlag(true, 'Exit code 4\nno')).toEqual({ status: 'failed', exitCode: 4 });
    expect(outcomeOfFlag(false, 'Exit code 4 is what the page says')).toEqual({ status: 'ok' });
    expect(outcomeOfFlag(true, "The user doesn't want to proceed with this tool use.")).toEqual({
      status: 'cancelled',
    });
  });
});
