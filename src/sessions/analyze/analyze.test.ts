import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionRow } from '../store/session-row.ts';
import type { TurnSummary } from '../store/turn-store.ts';
import { analyze } from './analyze.ts';
import type { CallFact, SessionFigures } from './session-figures.ts';

const turn = fc.record({
  outcome: fc.constantFrom('success', 'partial', 'failed', 'interrupted'),
  compactions: fc.nat(3),
  tokens: fc.nat(1_000_000),
});
const call = fc.record({
  turn: fc.nat(5),
  status: fc.constantFrom('ok', 'failed', 'rejected', 'cancelled', 'pending' as const),
  checkFailed: fc.constantFrom(true, false, undefined),
  digest: fc.nat(3),
  ms: fc.nat(60_000),
});
const edit = fc.record({ path: fc.constantFrom('a', 'b'), turn: fc.nat(5) });

function figuresOf(
  turns: readonly (typeof turn extends fc.Arbitrary<infer T> ? T : never)[],
  calls: readonly (typeof call extends fc.Arbitrary<infer T> ? T : never)[],
  edits: readonly (typeof edit extends fc.Arbitrary<infer T> ? T : never)[],
  contextTokens: number,
): SessionFigures {
  const made: CallFact[] = calls
    .filter((one) => one.turn < turns.length)
    .sort((a, b) => a.turn - b.turn)
    .map((one, at) => ({
      ...one,
      call: 2 * at,
      result: one.status === 'pending' ? -1 : 2 * at + 1,
      step: at,
      name: 'Bash',
      kind: 'execute',
      exitCode: one.status === 'failed' ? 1 : undefined,
      action: `command ${one.digest}`,
      target: undefined,
      error: undefined,
      check: one.checkFailed === undefined ? undefined : 'test',
    }));
  // The lenses look at these fields only; the rest of a row is not theirs.
  const session = { contextTokens, contextWindow: 200_000 } as SessionRow;
  return {
    session,
    turns: turns.map((one, index) => ({
      ...one,
      index,
      prompt: `prompt ${index}`,
      event: index,
      calls: made.filter((each) => each.turn === index).length,
    })) as unknown as readonly TurnSummary[],
    calls: made,
    edits: edits
      .filter((one) => one.turn < turns.length)
      .map((one, at) => ({ ...one, repo: 'app', event: at, step: at })),
    compactions: turns.flatMap((one, index) => (one.compactions > 0 ? [{ turn: index, event: index }] : [])),
    interruptions: turns.flatMap((one, index) =>
      one.outcome === 'interrupted' ? [{ turn: index, event: index }] : [],
    ),
    assumedWindow: 200_000,
    counts: {},
  };
}

test('the penalties are what the score lacks of 100, and every finding has a place in the session', () => {
  fc.assert(
    fc.property(
      fc.array(turn, { maxLength: 6 }),
      fc.array(call, { maxLength: 60 }),
      fc.array(edit, { maxLength: 40 }),
      fc.nat(220_000),
      fc.boolean(),
      fc.boolean(),
      (turns, calls, edits, context, failures, loops) => {
        const figures = figuresOf(turns, calls, edits, context);
        const { score, penalties, insights } = analyze(figures, { failures, loops });
        expect(score).toBe(100 - penalties.reduce((sum, one) => sum + one.points, 0));
        expect(score).toBeGreaterThanOrEqual(0);
        for (const one of penalties) expect(one.points).toBeGreaterThan(0);
        for (const one of insights) {
          expect(one.turn_index).toBeGreaterThanOrEqual(0);
          if (turns.length > 0) expect(one.turn_index).toBeLessThan(turns.length);
        }
        if (!failures) expect(insights.map((one) => one.lens)).not.toContain('failures');
        if (!loops) expect(insights.map((one) => one.lens)).not.toContain('loops');
        // A reason to lose points is always shown.
        for (const { lens } of penalties) {
          if (lens !== 'compaction') expect(insights.map((one) => one.lens)).toContain(lens);
        }
      },
    ),
    { numRuns: 300 },
  );
});
