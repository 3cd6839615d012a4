import { countOf } from '../../contract/format.ts';
import type { Finding, Insight } from './analyze.ts';
import { repeatedRuns, wentWrong } from './check-lens.ts';
import { penalty } from './score.ts';
import type { CallFact, SessionFigures } from './session-figures.ts';

const MIN_LOOP_TIMES = 3;
const MAX_CYCLE_LENGTH = 4;
const MIN_CHURN_EDITS = 4;

function byTurn<T extends { readonly turn: number }>(items: readonly T[]): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groups.get(item.turn);
    if (group === undefined) groups.set(item.turn, [item]);
    else group.push(item);
  }
  return groups;
}

const WAITING: ReadonlySet<string> = new Set([
  ...['bashoutput', 'taskoutput', 'agentoutputtool', 'write_stdin', 'wait', 'wait_agent'],
]);

/** Whether a call only polls something that keeps running; such calls are meant to repeat. */
function waits({ name, action }: CallFact): boolean {
  return WAITING.has(name.toLowerCase()) || /^sleep\b/.test(action);
}

/** Calls repeated with the same arguments, singly or in a cycle of up to four, and commands run over and over. */
export function loopLens(figures: SessionFigures): Finding {
  const { calls } = figures;
  const insights: Insight[] = [];
  for (const [turn, made] of byTurn(calls.filter((call) => !waits(call)))) {
    for (let at = 0; at < made.length; ) {
      const loop = loopAt(made, at);
      if (loop === undefined) {
        at++;
        continue;
      }
      const first = made[at];
      const what = made
        .slice(at, at + loop.cycle)
        .map((call) => call.action)
        .join(' → ');
      insights.push({
        turn_index: turn,
        step_index: first?.step,
        event_index: first?.call,
        severity: 'warning',
        lens: 'loops',
        message: `${loop.times} times in a row: ${what}`,
      });
      at += loop.cycle * loop.times;
    }
  }
  const places = new Set(insights.map((insight) => insight.event_index));
  const all = [...insights, ...repeatedRuns(figures).filter(({ event_index }) => !places.has(event_index))];
  const bad = all.filter(({ severity }) => severity === 'warning').length;
  return { insights: all, penalties: penalty('loops', bad, 8, 24, countOf(bad, 'loop')) };
}

function loopAt(calls: readonly CallFact[], at: number): { cycle: number; times: number } | undefined {
  for (let cycle = 1; cycle <= MAX_CYCLE_LENGTH; cycle++) {
    let times = 1;
    while (sameCycle(calls, at, at + times * cycle, cycle)) times++;
    if (times >= MIN_LOOP_TIMES) return { cycle, times };
  }
  return undefined;
}

function sameCycle(calls: readonly CallFact[], a: number, b: number, cycle: number): boolean {
  if (b + cycle > calls.length) return false;
  for (let index = 0; index < cycle; index++)
    if (calls[a + index]?.digest !== calls[b + index]?.digest) return false;
  return true;
}

/** A failed call and its repetitions while nothing changed. */
interface Tries {
  readonly calls: CallFact[];
  changes: number;
  successes: number;
}

/**
 * Failed calls that were repeated although nothing had changed that could help. Testing, fixing and testing again is
 * not a retry. An edit may fail because its file was not read; then reading the file helps.
 */
export function retryLens({ calls }: SessionFigures): Finding {
  const insights: Insight[] = [];
  for (const [turn, made] of byTurn(calls)) {
    for (const tries of triesOf(made)) {
      const [first] = tries;
      if (first === undefined || tries.length < 2) continue;
      const worked = tries.some((call) => !wentWrong(call));
      insights.push({
        turn_index: turn,
        step_index: first.step,
        event_index: first.call,
        severity: worked ? 'info' : 'warning',
        lens: 'retries',
        message: `${first.action}: failed, retried ${countOf(tries.length - 1, 'time')} without a change${worked ? ', then worked' : ''}`,
      });
    }
  }
  return {
    insights,
    penalties: penalty(
      'retries',
      insights.length,
      5,
      20,
      countOf(insights.length, 'retry without a change', 'retries without a change'),
    ),
  };
}

function triesOf(made: readonly CallFact[]): readonly (readonly CallFact[])[] {
  const open = new Map<number, Tries>();
  const all: CallFact[][] = [];
  let changes = 0;
  let successes = 0;
  for (const call of made) {
    if (waits(call)) continue;
    const before = open.get(call.digest);
    const edits = call.kind === 'edit' || call.kind === 'write';
    const blind = before?.changes === changes && (!edits || before.successes === successes);
    if (before !== undefined && blind) {
      before.calls.push(call);
      if (call.status === 'ok' && !wentWrong(call)) open.delete(call.digest);
    } else if (wentWrong(call)) {
      const tries: Tries = { calls: [call], changes, successes };
      open.set(call.digest, tries);
      all.push(tries.calls);
    }
    if (call.status !== 'ok' || wentWrong(call)) continue;
    successes++;
    if (!looks(call)) changes++;
  }
  return all;
}

const LOOKING: ReadonlySet<string> = new Set(['read', 'search', 'plan']);
const LOOKING_COMMAND =
  /^(?:ls|cat|head|tail|sed -n|rg|grep|find|pwd|which|wc|git (?:status|diff|log|show))\b/;

/** Whether a call changes nothing. */
function looks({ kind, action }: CallFact): boolean {
  return LOOKING.has(kind) || (kind === 'execute' && LOOKING_COMMAND.test(action));
}

const NOTES = /\.(?:mdx?|txt|rst|adoc)$/i;

/** Source files edited many times within one turn. Plans and notes are meant to grow. */
export function churnLens({ edits }: SessionFigures): Finding {
  const insights: Insight[] = [];
  const sources = edits.filter(({ path, repo }) => repo !== undefined && !NOTES.test(path));
  for (const [turn, made] of byTurn(sources)) {
    const files = new Map<string, { times: number; event: number; step: number }>();
    for (const { path, event, step } of made) {
      const known = files.get(path);
      if (known === undefined) files.set(path, { times: 1, event, step });
      else known.times++;
    }
    for (const [path, { times, event, step }] of files) {
      if (times < MIN_CHURN_EDITS) continue;
      const severity = times >= 2 * MIN_CHURN_EDITS ? ('warning' as const) : ('info' as const);
      const message = `${path} edited ${times} times`;
      insights.push({
        turn_index: turn,
        step_index: step,
        event_index: event,
        severity,
        lens: 'edit_churn',
        message,
      });
    }
  }
  return {
    insights,
    penalties: penalty(
      'edit_churn',
      insights.length,
      2,
      8,
      `${countOf(insights.length, 'file')} edited many times`,
    ),
  };
}
