import { countOf, durationText, shortCount } from '../../contract/format.ts';
import type { Finding, Insight } from './analyze.ts';
import { penalty } from './score.ts';
import type { SessionFigures } from './session-figures.ts';

const BIG_TURN_TOKENS = 200_000;
const BIG_TURN_SHARE = 0.4;
const NEARLY_FULL = 0.9;
const SLOW_MS = 30_000;
const MAX_SLOW_CALLS = 3;

/** Turns that used most of the tokens, and a nearly full context window. */
export function tokenLens({ session, turns, assumedWindow }: SessionFigures): Finding {
  const insights: Insight[] = [];
  const total = turns.reduce((sum, turn) => sum + turn.tokens, 0);
  for (const turn of turns) {
    if (turn.tokens < BIG_TURN_TOKENS || turn.tokens < BIG_TURN_SHARE * total || turns.length === 1) continue;
    insights.push({
      turn_index: turn.index,
      event_index: turn.event,
      severity: 'info',
      lens: 'token_usage',
      message: `${shortCount(turn.tokens)} tokens, ${Math.round((100 * turn.tokens) / total)} % of the session, in ${countOf(turn.calls, 'tool call')}`,
    });
  }
  const { contextTokens, contextWindow } = session;
  const window = contextWindow ?? assumedWindow;
  const full = window === undefined ? 0 : contextTokens / window;
  if (full > NEARLY_FULL) {
    insights.push({
      turn_index: Math.max(0, turns.length - 1),
      severity: 'warning',
      lens: 'token_usage',
      message: `the last request filled ${Math.round(100 * full)} % of ${contextWindow === undefined ? `a context window of ${shortCount(window ?? 0)} (assumed: the log does not say)` : 'the context window'}`,
    });
  }
  return {
    insights,
    penalties: penalty('token_usage', full > NEARLY_FULL ? 1 : 0, 10, 10, 'a nearly full context window'),
  };
}

/** Kinds of calls that take no time: if one did take long, a person was asked first. */
const INSTANT: ReadonlySet<string> = new Set(['read', 'write', 'edit', 'plan']);
const ASKING = /^(?:ask|request)_?user|^enterplanmode$/i;

/** The slowest tool calls. */
export function bottleneckLens({ calls }: SessionFigures): Finding {
  const slow = calls
    .filter(({ ms, kind, name }) => ms >= SLOW_MS && !INSTANT.has(kind) && !ASKING.test(name))
    .sort((a, b) => b.ms - a.ms);
  return {
    insights: slow.slice(0, MAX_SLOW_CALLS).map((call) => ({
      turn_index: call.turn,
      step_index: call.step,
      event_index: call.call,
      severity: 'info',
      lens: 'bottleneck',
      message: `${call.action} took ${durationText(call.ms / 1000)}`,
    })),
    penalties: penalty(
      'bottleneck',
      slow.length,
      2,
      6,
      `${countOf(slow.length, 'tool call')} that took 30 s or more`,
    ),
  };
}
