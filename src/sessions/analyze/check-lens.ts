import { countOf } from '../../contract/format.ts';
import type { Finding, Insight } from './analyze.ts';
import { penalty } from './score.ts';
import type { CallFact, SessionFigures } from './session-figures.ts';

/** Consecutive failed runs of a check that make a loop. */
const MIN_FAILED_IN_A_ROW = 3;
/** Runs of one command in a turn that make a loop. */
const MIN_RUNS = 6;
const MANY_RUNS = 9;

/** Whether a call failed; also true for a check whose exit code was hidden by a pipe. */
export function wentWrong(call: CallFact): boolean {
  return call.status === 'failed' || call.checkFailed === true;
}

/** Failed tests, builds, linters and type checks, by command. */
export function checkLens({ calls }: SessionFigures): Finding {
  const insights: Insight[] = [];
  let failedRuns = 0;
  let stillFailing = 0;
  for (const [action, runs] of byCommand(calls.filter((call) => call.checkFailed !== undefined))) {
    const failed = runs.filter((run) => run.checkFailed === true);
    const [first] = failed;
    const last = runs.at(-1);
    if (first === undefined || last === undefined) continue;
    failedRuns += failed.length;
    const open = last.checkFailed === true;
    if (open) stillFailing++;
    const shown = open ? last : first;
    const why = shown.error === undefined ? '' : `: ${shown.error}`;
    insights.push({
      turn_index: shown.turn,
      step_index: shown.step,
      event_index: shown.result < 0 ? shown.call : shown.result,
      severity: open && failed.length > 1 ? 'critical' : open || failed.length > 2 ? 'warning' : 'info',
      lens: 'checks',
      message: `${action} failed ${failed.length} of ${countOf(runs.length, 'run')}${open ? ', including the last' : ''}${why}`,
    });
  }
  return {
    insights,
    penalties: [
      ...penalty('checks', stillFailing, 8, 16, `${countOf(stillFailing, 'check')} that still fail`),
      ...penalty('checks', failedRuns, 3, 24, countOf(failedRuns, 'failed check')),
    ],
  };
}

/**
 * One command over and over, whatever was done in between: it failed several times in a row, or ran many times in one
 * turn. A check that mostly passes is not a loop.
 */
export function repeatedRuns({ calls }: SessionFigures): readonly Insight[] {
  const insights: Insight[] = [];
  const runs = calls.filter(({ kind, action }) => kind === 'execute' && !LOOKS.test(action));
  for (const [action, made] of byCommand(runs)) {
    const streak = longestStreak(made);
    const [begun] = streak;
    if (begun !== undefined && streak.length >= MIN_FAILED_IN_A_ROW) {
      insights.push(loop(begun, `${action}: failed ${streak.length} times in a row`, 'warning'));
      continue;
    }
    const turns = new Map<number, CallFact[]>();
    for (const call of made) turns.set(call.turn, [...(turns.get(call.turn) ?? []), call]);
    for (const inTurn of turns.values()) {
      const [first] = inTurn;
      const failed = inTurn.filter(wentWrong).length;
      const mostlyPasses = inTurn.some((call) => call.check !== undefined) && 2 * failed < inTurn.length;
      if (first === undefined || inTurn.length < MIN_RUNS || mostlyPasses) continue;
      const severity = failed > 1 || inTurn.length >= MANY_RUNS ? 'warning' : 'info';
      insights.push(
        loop(first, `${action}: ${inTurn.length} runs${failed > 0 ? `, ${failed} failed` : ''}`, severity),
      );
    }
  }
  return insights;
}

/** Commands that neither change nor test anything, or that only wait. */
const LOOKS =
  /^(?:ls|cat|head|tail|sed -n|rg|grep|find|pwd|which|wc|sleep|echo|cd|git (?:status|diff|log|show|add|branch|commit|push|stash|checkout))\b/;
/** Programs that get their code from arguments or input: the same command line may run something else. */
const INLINE =
  /(?:^|\s)(?:-c|-e|-|<<.*)$|^(?:cat|tee|python3?|node|ruby|perl|osascript|psql|sqlite3)(?:\s+-\S*)?$/;

/** Calls grouped by the command they run. */
function byCommand(calls: readonly CallFact[]): readonly (readonly [string, readonly CallFact[]])[] {
  const groups = new Map<string, CallFact[]>();
  for (const call of calls) {
    const key = INLINE.test(call.action) ? `${call.action} ${call.digest}` : call.action;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [call]);
    else group.push(call);
  }
  return [...groups.values()].map((group) => [group[0]?.action ?? '', group]);
}

function longestStreak(calls: readonly CallFact[]): readonly CallFact[] {
  let longest: readonly CallFact[] = [];
  let current: CallFact[] = [];
  for (const call of calls) {
    current = wentWrong(call) ? [...current, call] : [];
    if (current.length > longest.length) longest = current;
  }
  return longest;
}

function loop(first: CallFact, message: string, severity: Insight['severity']): Insight {
  return {
    turn_index: Math.max(0, first.turn),
    step_index: first.step,
    event_index: first.call,
    severity,
    lens: 'loops',
    message,
  };
}
