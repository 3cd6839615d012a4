import { describe, expect, test } from 'vitest';
import { exitCodeIn, outcomeOfFlag, rejection } from './outcome.ts';

describe('outcome of a tool', () => {
  test('an exit code is at one of the ends of a long output', () => {
    expect(exitCodeIn(`${'line\n'.repeat(1000)}Exit Code: 3\nSignal: 0`)).toBe(3);
    expect(exitCodeIn(`${'line\n'.repeat(300)}Exit code: 3\n${'line\n'.repeat(300)}`)).toBeUndefined();
  });

  test('a flag of the agent decides, the text adds the code', () => {
    expect(outcomeOfFlag(true, 'Exit code 4\nno')).toEqual({ status: 'failed', exitCode: 4 });
    expect(outcomeOfFlag(false, 'Exit code 4 is what the page says')).toEqual({ status: 'ok' });
    expect(outcomeOfFlag(true, '[Request interrupted by user for tool use]')).toEqual({
      status: 'cancelled',
    });
  });

  test('a call that the agent stopped because another failed is no failure', () => {
    for (const output of [
      'Sibling tool call errored',
      '<tool_use_error>Sibling tool call errored</tool_use_error>',
    ])
      expect(outcomeOfFlag(true, output)).toEqual({ status: 'cancelled' });
  });

  test('a person who says no is not an error, and their words are kept', () => {
    const refused = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. …).";
    expect(outcomeOfFlag(true, refused)).toEqual({ status: 'rejected' });
    expect(
      outcomeOfFlag(
        true,
        `${refused} To tell you how to proceed, the user said:\nlet's cut a branch first\n`,
      ),
    ).toEqual({ status: 'rejected', said: "let's cut a branch first" });
    expect(rejection('exec command rejected by user')).toEqual({ status: 'rejected' });
    expect(rejection('Reason: User did not allow tool call')).toEqual({ status: 'rejected' });
    expect(rejection('the tests rejected by users of the API')).toBeUndefined();
    expect(rejection('a file that says: the request was rejected')).toBeUndefined();
  });
});
