import { EVENT_TYPES } from './model/event.ts';
import { FLAG } from './model/event-rows.ts';
import { nextPrompt, notCopied, table } from './table-parts.ts';

const type = (name: (typeof EVENT_TYPES)[number]) => EVENT_TYPES.indexOf(name);

const BY_MODEL = (['message', 'reasoning', 'tool_call'] as const).map(type).join(', ');

/** The last thing the model said or did before an event `e`. */
const MODEL_BEFORE = `COALESCE((SELECT m.idx FROM {db}.events m WHERE m.session = e.session AND m.idx < e.idx
  AND m.type IN (${BY_MODEL}) ORDER BY m.idx DESC LIMIT 1), -1)`;

/** Agents log an interruption after a rejection that stops the turn, and some log interruptions twice. */
const REPEATS = `EXISTS (SELECT 1 FROM {db}.tools r WHERE r.session = e.session AND r.turn = e.turn
    AND r.status = 'rejected' AND r.result < e.idx AND r.result > ${MODEL_BEFORE})
  OR EXISTS (SELECT 1 FROM {db}.events i WHERE i.session = e.session AND i.turn = e.turn AND i.type = e.type
    AND i.idx < e.idx AND i.idx > ${MODEL_BEFORE})`;

/** The call that was waiting for its result at an event `e`, if any. */
const STOPPED_CALL = `(SELECT c.call FROM {db}.tools c WHERE c.session = e.session AND c.turn = e.turn
  AND c.call < e.idx AND c.status IN ('cancelled', 'pending') AND NOT EXISTS (SELECT 1 FROM {db}.tools l
    WHERE l.session = c.session AND l.turn = c.turn AND l.call > c.call AND l.call < e.idx)
  ORDER BY c.call DESC LIMIT 1)`;

/** The last thing the model said or did in a turn `t`, for agents that do not log interruptions. */
const LAST_OF_TURN = `COALESCE((SELECT m.idx FROM {db}.events m WHERE m.session = t.session AND m.turn = t.idx
  AND m.type IN (${BY_MODEL}) ORDER BY m.idx DESC LIMIT 1), t.event)`;

/** Turns `t` that a person stopped without an event in the log. */
const ONLY_MARKED = `t.outcome = 'interrupted' AND NOT EXISTS (SELECT 1 FROM {db}.events e
  WHERE e.session = t.session AND e.turn = t.idx AND e.type = ${type('interrupt')})`;

const callText = (row: string) =>
  `${row}.name || COALESCE(' ' || COALESCE(${row}.command, ${row}.target), '')`;

/** The last call of a turn before its interruption `p`. */
const LAST_CALL = `(SELECT 'after ' || ${callText('l')} FROM {db}.tools l WHERE l.session = p.session
  AND l.turn = p.turn AND l.call < p.event ORDER BY l.call DESC LIMIT 1)`;

/** Rejections and interruptions: session, turn, step, event, time, kind and call. */
export const STOPS_OF_LOGS = `SELECT c.session, c.turn, c.step, CASE WHEN c.result < 0 THEN c.call ELSE c.result END AS event,
    c.ended_ms AS ms, 'rejected' AS kind, c.call FROM {db}.tools c WHERE c.status = 'rejected'
  UNION ALL SELECT e.session, e.turn, e.step, e.idx, e.ms, 'interrupted', ${STOPPED_CALL} FROM {db}.events e
  WHERE e.type = ${type('interrupt')} AND e.flags & ${FLAG.mirror} = 0 AND NOT (${REPEATS})
  UNION ALL SELECT t.session, t.idx, 0, ${LAST_OF_TURN}, t.end_ms, 'interrupted', NULL FROM {db}.turns t
  WHERE ${ONLY_MARKED}`;

/** Where a person rejected a call or interrupted the agent. */
export const STOPS = table(
  'stops',
  'call that a person rejected, or interruption',
  `(${STOPS_OF_LOGS}) p JOIN {db}.sessions s ON s.key = p.session
   LEFT JOIN {db}.tools t ON t.session = p.session AND t.call = p.call
   WHERE ${notCopied('p.turn', 'MAX(p.step, 0)')}`,
  {
    session: ['text', '', 's.short'],
    turn: ['integer', '-1: before the first prompt', 'p.turn'],
    event: ['integer', 'the rejection or interruption itself', 'p.event'],
    at: ['time', '', 'p.ms'],
    kind: [['rejected', 'interrupted'], '', 'p.kind'],
    call: ['integer', 'event of the call that was rejected or stopped, if any', 'p.call', 'rare'],
    stopped: [
      'text',
      'that call: its tool, and its command or target; without one, "after" the last call of the turn, or "before any call"',
      `COALESCE(${callText('t')}, ${LAST_CALL}, 'before any call')`,
    ],
    said: [
      'text',
      'what the person said to it, else the beginning of their next prompt',
      `COALESCE(CASE WHEN p.kind = 'rejected' THEN t.error END, ${nextPrompt('p.session', 'p.turn')})`,
    ],
  },
);
