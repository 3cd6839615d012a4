import type { Mark } from './event.ts';
import { FLAG, type TurnRow } from './event-rows.ts';
import type { Gathered } from './gathered.ts';
import type { AssemblerState } from './state.ts';

/** Records this close together report the same compaction. */
const SAME_COMPACTION_EVENTS = 8;

/** Starts a turn at the event of a prompt, or without one at the model's first words. */
export function beginTurn(state: AssemblerState, event: number, prompt: string, gathered: Gathered): TurnRow {
  const turn: TurnRow = {
    index: state.turns++,
    event,
    startMs: state.possiblePrompt?.event === event ? state.possiblePrompt.ms : state.ms,
    endMs: state.ms,
    prompt,
    reply: '',
    replyEvent: -1,
    steps: 0,
    calls: 0,
    failed: 0,
    tools: new Map(),
    actions: new Map(),
    failedActions: new Map(),
    lastFailed: 0,
    failedChecks: new Map(),
    rejected: false,
    openCalls: 0,
    interrupted: false,
    broken: false,
    said: false,
    compactions: 0,
    rewound: false,
    inherited: state.replay !== undefined,
  };
  if (event < state.events) {
    gathered.moved.push({ event, turn: turn.index });
    for (const row of gathered.events) {
      if (row.index >= event) row.turn = turn.index;
      if (row.index === event) row.type = 'user';
    }
  }
  // A subagent is named after its own prompt, not after one in the history it was given.
  const own = state.facts.relation === 'subagent' && state.turn?.inherited === true && !turn.inherited;
  if (prompt !== '' && (state.snippet === '' || own)) state.snippet = prompt;
  if (prompt !== '') state.lastPrompt = prompt;
  state.turn = turn;
  state.step = -1;
  state.stepEnded = false;
  state.answered = false;
  state.possiblePrompt = undefined;
  state.responses.clear();
  state.echoes.clear();
  gathered.turns.add(turn);
  return turn;
}

/**
 * Finds the step that something the model says or does belongs to, or starts one. Without response ids, text after a
 * tool's answer is a new response, while another call may still belong to the previous one.
 */
export function enterStep(
  state: AssemblerState,
  response: string | undefined,
  speaks: boolean,
  gathered: Gathered,
): void {
  if (state.possiblePrompt !== undefined)
    beginTurn(state, state.possiblePrompt.event, state.possiblePrompt.prompt, gathered);
  const turn = state.turn ?? beginTurn(state, state.events, '', gathered);
  turn.broken = false;
  const known = response === undefined ? undefined : state.responses.get(response);
  if (known !== undefined) {
    state.step = known;
    return;
  }
  if (response === undefined && state.step >= 0 && !state.stepEnded && !(speaks && state.answered)) return;
  state.step = turn.steps++;
  state.steps++;
  state.stepEnded = false;
  state.answered = false;
  if (response !== undefined) state.responses.set(response, state.step);
}

/** Ends the step: what the model says next is a new response. */
export function closeStep(state: AssemblerState): void {
  state.stepEnded = true;
  state.answered = false;
}

export function markTurn(state: AssemblerState, mark: Mark, event: number, gathered: Gathered): void {
  // A command that was stopped before the model answered it.
  if (mark === 'interrupted' && state.possiblePrompt !== undefined)
    beginTurn(state, state.possiblePrompt.event, state.possiblePrompt.prompt, gathered);
  const { turn } = state;
  if (mark === 'interrupted' && turn === undefined) state.interrupted++;
  if (mark === 'compaction') {
    if (event - state.lastCompaction > SAME_COMPACTION_EVENTS) {
      state.compactions++;
      const marked = gathered.events.findLast(({ index }) => index === event);
      if (marked !== undefined) marked.flags |= FLAG.compaction;
      if (turn !== undefined) turn.compactions++;
      state.compactionEvent = event;
    }
    state.lastCompaction = event;
  }
  if (turn === undefined) return;
  if (mark === 'interrupted') {
    if (!turn.interrupted) state.interrupted++;
    turn.interrupted = true;
  }
  if (mark === 'turn_failed') turn.broken = true;
  // The turn ended without a word from the model: some versions log nothing else about an error.
  if (mark === 'turn_end' && turn.steps === 0 && !turn.interrupted) turn.broken = true;
  gathered.turns.add(turn);
}

/** Marks turns that the model no longer sees. They keep their numbers. */
export function rewindTurns(state: AssemblerState, from: number, gathered: Gathered): void {
  const first = Math.max(0, from);
  const last = state.turns - 1;
  if (first > last) return;
  gathered.rewound.push({ from: first, to: last });
  if (state.turn !== undefined && state.turn.index >= first) state.turn.rewound = true;
}
