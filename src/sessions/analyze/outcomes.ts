import { countOf } from '../../contract/format.ts';
import type { Finding, Insight } from './analyze.ts';
import { wentWrong } from './check-lens.ts';
import { penalty } from './score.ts';
import type { CallFact, SessionFigures } from './session-figures.ts';

/** Turns with failed tool calls, each with its first failure as evidence. */
export function failureLens({ turns, calls }: SessionFigures): Finding {
  const insights: Insight[] = [];
  let failedCalls = 0;
  let failedTurns = 0;
  for (const turn of turns) {
    // Checks have their own lens.
    const failed = calls.filter(
      (call) => call.turn === turn.index && call.status === 'failed' && call.check === undefined,
    );
    const first = failed[0];
    const checked = calls.some((call) => call.turn === turn.index && wentWrong(call));
    if (first === undefined && checked) continue;
    if (turn.outcome === 'failed') failedTurns++;
    if (first === undefined) {
      if (turn.outcome !== 'failed') continue;
      insights.push({
        turn_index: turn.index,
        event_index: turn.event,
        severity: 'critical',
        lens: 'failures',
        message: 'the turn ended with an error in the agent or the API',
      });
      continue;
    }
    failedCalls += failed.length;
    const what = [...new Set(failed.map(described))].slice(0, 2).join('; ');
    insights.push({
      turn_index: turn.index,
      step_index: first.step,
      event_index: first.result < 0 ? first.call : first.result,
      severity: turn.outcome === 'failed' ? 'critical' : 'warning',
      lens: 'failures',
      message: `${failed.length} of ${countOf(turn.calls, 'tool call')} failed: ${what}`,
    });
  }
  return {
    insights,
    penalties: [
      ...penalty('failures', failedTurns, 10, 20, countOf(failedTurns, 'failed turn')),
      ...penalty('failures', failedCalls, 2, 20, countOf(failedCalls, 'failed tool call')),
    ],
  };
}

/** What failed, with its exit code or the reason. */
function described({ action, exitCode, error }: CallFact): string {
  const why = error ?? (exitCode === undefined ? undefined : `exit code ${exitCode}`);
  return why === undefined ? action : `${action} (${why})`;
}

/** Calls that a person rejected, with their words or else their next prompt. */
export function rejectionLens({ calls, turns }: SessionFigures): Finding {
  const rejected = calls.filter(({ status }) => status === 'rejected');
  return {
    insights: rejected.map((call) => ({
      turn_index: Math.max(0, call.turn),
      step_index: call.step,
      event_index: call.result < 0 ? call.call : call.result,
      severity: 'warning',
      lens: 'rejected',
      message: `${call.action}${call.error === undefined ? nextPrompt(turns, call.turn) : `: ${call.error}`}`,
    })),
    penalties: penalty('rejected', rejected.length, 3, 12, countOf(rejected.length, 'rejected call')),
  };
}

const MAX_PROMPT_LENGTH = 200;

/** What a person asked for after a turn, as a suffix to a message. */
function nextPrompt(turns: SessionFigures['turns'], turn: number): string {
  const prompt =
    turns
      .find(({ index }) => index === turn + 1)
      ?.prompt.replace(/\s+/g, ' ')
      .trim() ?? '';
  const short = prompt.length <= MAX_PROMPT_LENGTH ? prompt : `${prompt.slice(0, MAX_PROMPT_LENGTH - 1)}…`;
  return short === '' ? '' : `; next prompt: ${short}`;
}

/** Where a person stopped the agent; rejections have their own lens. */
export function interruptionLens({ turns, interruptions }: SessionFigures): Finding {
  const stopped = new Set(interruptions.flatMap(({ turn }) => (turn < 0 ? [] : [turn]))).size;
  return {
    insights: interruptions.map(({ turn, event }) => ({
      turn_index: Math.max(0, turn),
      event_index: event,
      severity: 'info',
      lens: 'interruptions',
      message: `${turn < 0 ? 'interrupted before the first prompt' : 'the turn was interrupted'}${nextPrompt(turns, turn)}`,
    })),
    penalties: penalty('interruptions', stopped, 3, 9, countOf(stopped, 'interrupted turn')),
  };
}

/** Compactions in the middle of work, which lose some context. */
export function compactionLens({ turns, compactions }: SessionFigures): Finding {
  const during = turns.filter((turn) => turn.compactions > 0 && turn.calls > 0);
  const total = turns.reduce((sum, turn) => sum + turn.compactions, 0);
  return {
    insights: during.map((turn) => ({
      turn_index: turn.index,
      event_index: compactions.find((compaction) => compaction.turn === turn.index)?.event,
      severity: turn.compactions > 1 ? 'warning' : 'info',
      lens: 'compaction',
      message: `the context was compacted ${turn.compactions === 1 ? 'once' : `${turn.compactions} times`} during the turn`,
    })),
    penalties: penalty('compaction', total, 2, 6, countOf(total, 'compaction')),
  };
}
