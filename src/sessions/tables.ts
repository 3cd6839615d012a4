import type { SqlSubject } from '../store/sql-table.ts';
import { SEVERITIES } from './analyze/analyze.ts';
import { complains } from './analyze/complaint.ts';
import { CALLS, COMMANDS, FAILURES } from './call-tables.ts';
import { EVENT_TYPES, TOOL_STATUSES } from './model/event.ts';
import { FLAG } from './model/event-rows.ts';
import { PROVIDERS } from './providers/index.ts';
import type { OptionalTokens } from './providers/provider.ts';
import { STOPS } from './stop-table.ts';
import { scopeOfQuery } from './store/session-scope.ts';
import { eventTexts } from './store/sql-texts.ts';
import { nextPrompt, notCopied, table } from './table-parts.ts';
import { responseCost } from './tokens/sql-cost.ts';
import { COST_ARGUMENTS, COST_ARGUMENTS_OF_SLOT } from './tokens/token-total.ts';
import { recordedSql, timedSql } from './tokens/unrecorded.ts';

const type = (name: (typeof EVENT_TYPES)[number]) => EVENT_TYPES.indexOf(name);

/** The short id of a session `s`, or of the session it is a copy of. */
const OWNER = `CASE WHEN s.copy_of IS NULL THEN s.short
  ELSE COALESCE((SELECT o.short FROM {db}.sessions o WHERE o.id = s.copy_of), s.short) END`;

/** Only the first 400 characters of a text are stored here; a longer text is read from its event. */
const wholeText = (beginning: string, event: string) =>
  `CASE WHEN length(${beginning}) < 390 THEN ${beginning}
    ELSE COALESCE(event_text('{db}', t.session, ${event}), ${beginning}) END`;

/**
 * A sum over the responses of a session `s` and of the copies of its log: 0 if all of them belong to another session,
 * NULL if the log does not say.
 */
const ofSession = (
  sql: string,
) => `COALESCE((SELECT SUM(${sql}) FROM {db}.usage_slots u WHERE u.session = s.key
  OR u.session IN (SELECT c.key FROM {db}.sessions c WHERE c.copy_of = s.id)), CASE WHEN s.context_tokens > 0
    AND NOT EXISTS (SELECT 1 FROM {db}.usage_slots o WHERE o.session = s.key) THEN 0 END)`;

/** The same over the responses of a turn `t` of a session `s`. */
const ofTurn = (
  sql: string,
) => `COALESCE((SELECT SUM(${sql}) FROM {db}.usage u WHERE u.session = t.session AND u.turn = t.idx AND u.owned = 1),
  CASE WHEN s.context_tokens > 0 AND NOT EXISTS (SELECT 1 FROM {db}.usage o
    WHERE o.session = t.session AND o.turn = t.idx AND o.owned = 1) THEN 0 END)`;

/** Tokens `u` of a kind that the agent of the session `s` may not record; then NULL. */
const recorded = (kind: OptionalTokens) => recordedSql(kind, PROVIDERS);

const COST = `response_cost(${COST_ARGUMENTS})`;
const COST_OF_SLOT = `response_cost(${COST_ARGUMENTS_OF_SLOT})`;
const TOKENS = 'u.input + u.tool + u.cache_write + u.cached + u.output';

const minutes = (from: string, to: string) =>
  timedSql(`ROUND((${to} - ${from}) / 60000.0, 1)`, from, to, PROVIDERS);

/** The last event of a session `s` by a person, the model or a tool. */
const LAST_EVENT = `SELECT e.type, e.status, e.turn FROM {db}.events e WHERE e.session = s.key AND (e.type = ${type('tool_result')}
  OR (e.type IN (${[type('user'), type('message'), type('tool_call'), type('interrupt')].join(', ')}) AND e.flags & ${FLAG.silent} = 0))
  AND e.flags & ${FLAG.mirror | FLAG.sidechain} = 0 ORDER BY e.idx DESC LIMIT 1`;

/** Nothing failed in the last turn `t` except the turn itself. */
const BROKE_OFF = `t.outcome = 'failed' AND t.failed = 0`;

const ENDING = `(SELECT CASE WHEN l.type = ${type('interrupt')} OR t.outcome = 'interrupted' THEN 'interrupted'
    WHEN ${BROKE_OFF} THEN 'error' WHEN l.type = ${type('user')} THEN 'prompt' WHEN l.type = ${type('message')} THEN 'answer'
    WHEN l.type = ${type('tool_call')} THEN 'pending call' WHEN l.status = 'rejected' THEN 'rejected' ELSE 'result' END
  FROM (${LAST_EVENT}) l LEFT JOIN {db}.turns t ON t.session = s.key AND t.idx = l.turn)`;

const SESSIONS = table('sessions', 'session', '{db}.sessions s WHERE s.copy_of IS NULL AND s.events > 0', {
  id: ['text', 'short id; other tables call it session', 's.short'],
  agent: [PROVIDERS.map(({ id }) => id), '', 's.provider'],
  project: ['text', 'folder of the repository', 'COALESCE(s.project_path, s.project_hash)'],
  branch: ['text', '', 's.branch', 'rare'],
  model: ['text', 'the last one', 's.model', 'rare'],
  title: ['text', '', 's.title', 'rare'],
  first_prompt: ['text', 'beginning', 's.snippet'],
  last_prompt: ['text', 'beginning', 's.last_prompt', 'rare'],
  last_message: ['text', 'beginning of what the agent said last', 's.last_message'],
  started: ['time', '', 's.start_ms'],
  ended: ['time', 'the last record of its log', timedSql('s.end_ms', 's.start_ms', 's.end_ms', PROVIDERS)],
  ending: [
    ['answer', 'pending call', 'result', 'rejected', 'interrupted', 'error', 'prompt'],
    'what its log ends with; after all but answer the work was cut off or still goes on',
    ENDING,
  ],
  minutes: ['real', 'from start to end', minutes('s.start_ms', 's.end_ms'), 'rare'],
  turns: ['integer', 'prompts', 's.turns'],
  calls: ['integer', 'tool calls', 's.tool_calls'],
  failed: ['integer', 'calls whose status is failed', 's.failures'],
  rejected: ['integer', 'calls that a person rejected', 's.rejected', 'rare'],
  interrupted: ['integer', 'turns that a person stopped', 's.interrupted', 'rare'],
  input: [
    'integer',
    'tokens neither read from nor written to a cache',
    ofSession('u.input + u.tool'),
    'rare',
  ],
  cache_write: ['integer', 'tokens written to a cache', ofSession(recorded('cacheWrite')), 'rare'],
  cached: ['integer', 'tokens read from a cache', ofSession(recorded('cached')), 'rare'],
  output: ['integer', 'with reasoning', ofSession('u.output'), 'rare'],
  tokens: ['integer', 'input + cache_write + cached + output', ofSession(TOKENS)],
  cost: ['real', 'estimated dollars', `ROUND(${ofSession(COST_OF_SLOT)}, 4)`],
  parent: [
    'text',
    'the session that started it, or that it continues',
    `COALESCE((SELECT p.short FROM {db}.sessions p WHERE p.id = s.parent_id), s.parent_id)`,
  ],
  relation: ['text', 'to its parent: subagent, fork, continuation', 's.relation', 'rare'],
  log_path: ['text', '', '(SELECT f.path FROM {db}.files f WHERE f.session = s.key LIMIT 1)', 'rare'],
  full_id: ['text', '', 's.id', 'rare'],
  machine: ['text', 'where it ran, on a team server', 's.machine', 'rare'],
  person: ['text', 'who worked there, on a team server', 's.person', 'rare'],
});

const EDITS_OF_TURN = `(SELECT COUNT(*) FROM {db}.touches e LEFT JOIN {db}.tools c
  ON c.session = e.session AND c.call = e.event
  WHERE e.session = t.session AND e.turn = t.idx AND e.action <> 'read' AND COALESCE(c.status, 'ok') = 'ok')`;

const TURNS = table(
  'turns',
  'prompt and what followed',
  `{db}.turns t JOIN {db}.sessions s ON s.key = t.session WHERE ${notCopied('t.idx', '0')}`,
  {
    session: ['text', '', 's.short'],
    turn: ['integer', 'from 0', 't.idx'],
    started: ['time', '', 't.start_ms'],
    minutes: ['real', '', minutes('t.start_ms', 't.end_ms'), 'rare'],
    prompt: ['text', '', wholeText('t.prompt', 't.event')],
    reply: ['text', 'what the agent said last', wholeText('t.reply', 't.reply_event')],
    next_prompt: ['text', 'what was asked after it', nextPrompt('t.session', 't.idx'), 'rare'],
    outcome: [['success', 'partial', 'failed', 'interrupted'], '', 't.outcome', 'rare'],
    complains: [
      'integer',
      '1: the prompt seems to say that something is wrong or not wanted; guessed from English words',
      'complains(t.prompt)',
      'rare',
    ],
    steps: ['integer', 'responses of the model', 't.steps', 'rare'],
    calls: ['integer', '', 't.calls'],
    failed: ['integer', 'calls whose status is failed', 't.failed'],
    edits: ['integer', 'changes to files that succeeded', EDITS_OF_TURN],
    input: ['integer', '', ofTurn('u.input + u.tool'), 'rare'],
    cache_write: ['integer', '', ofTurn(recorded('cacheWrite')), 'rare'],
    cached: ['integer', '', ofTurn(recorded('cached')), 'rare'],
    output: ['integer', '', ofTurn('u.output'), 'rare'],
    tokens: ['integer', '', ofTurn(TOKENS)],
    cost: ['real', 'estimated dollars', `ROUND(${ofTurn(COST)}, 4)`, 'rare'],
    event: ['integer', 'of the prompt', 't.event', 'rare'],
  },
);

const EDITS = table(
  'edits',
  'change to a file',
  `{db}.touches t JOIN {db}.sessions s ON s.key = t.session
   LEFT JOIN {db}.tools c ON c.session = t.session AND c.call = t.event
   WHERE t.action <> 'read' AND ${notCopied('t.turn', 't.step')}`,
  {
    session: ['text', '', 's.short'],
    turn: ['integer', '', 't.turn'],
    event: ['integer', '', 't.event'],
    at: ['time', '', 't.ms'],
    path: ['text', '', 't.path'],
    repo_path: ['text', 'path in the repository, the same in every checkout', 't.repo_path'],
    repo: ['text', 'name of the repository, the same in every checkout', 't.repo', 'rare'],
    action: [['edit', 'write', 'delete'], '', 't.action', 'rare'],
    added: ['integer', 'lines', 't.added'],
    removed: ['integer', 'lines', 't.removed'],
    status: [TOOL_STATUSES, '', "COALESCE(c.status, 'ok')"],
  },
);

const HIDDEN = FLAG.mirror | FLAG.silent;

const MESSAGES = table(
  'messages',
  'text of a person, an agent or its reasoning',
  `{db}.events e JOIN {db}.sessions s ON s.key = e.session
   WHERE e.type IN (${type('user')}, ${type('message')}, ${type('reasoning')}) AND e.flags & ${HIDDEN} = 0
     AND ${notCopied('e.turn', 'MAX(e.step, 0)')}`,
  {
    session: ['text', '', 's.short'],
    turn: ['integer', '', 'e.turn'],
    event: ['integer', '', 'e.idx'],
    at: ['time', '', 'e.ms'],
    role: [
      ['user', 'assistant', 'reasoning'],
      '',
      `CASE e.type WHEN ${type('user')} THEN 'user' WHEN ${type('message')} THEN 'assistant' ELSE 'reasoning' END`,
    ],
    text: ['text', '', "event_text('{db}', e.session, e.idx)"],
  },
);

const USAGE = table(
  'usage',
  'model response',
  '{db}.usage u JOIN {db}.sessions s ON s.key = u.session WHERE u.owned = 1',
  {
    session: ['text', '', OWNER],
    turn: ['integer', '', 'u.turn'],
    event: ['integer', '', 'u.event', 'rare'],
    at: ['time', '', 'u.ms'],
    model: ['text', '', 'u.model'],
    input: ['integer', '', 'u.input + u.tool'],
    cache_write: ['integer', '', recorded('cacheWrite')],
    cached: ['integer', '', recorded('cached')],
    output: ['integer', 'with reasoning', 'u.output'],
    reasoning: ['integer', '', recorded('reasoning'), 'rare'],
    cost: ['real', 'estimated dollars', COST],
    subagent: [
      'integer',
      '1: spent by a subagent, of a session that is one or that reports what its subagents spent',
      `CASE WHEN u.relayed = 1 OR s.relation = 'subagent' OR EXISTS (SELECT 1 FROM {db}.events e
        WHERE e.session = u.session AND e.idx = u.event AND e.flags & ${FLAG.sidechain} <> 0) THEN 1 ELSE 0 END`,
    ],
  },
);

/** Tokens in the context at a response `u`. */
const CONTEXT = 'u.input + u.tool + u.cached + u.cache_write + u.output';

/** The context at the response nearest to an event `e` on one side. */
const contextAt = (side: '<' | '>', order: 'ASC' | 'DESC') => `(SELECT ${CONTEXT} FROM {db}.usage u
  WHERE u.session = e.session AND u.relayed = 0 AND u.event ${side} e.idx ORDER BY u.event ${order} LIMIT 1)`;

const COMPACTIONS = table(
  'compactions',
  'place where the context was compacted',
  `{db}.sessions s JOIN {db}.events e ON e.session = s.key WHERE s.compactions > 0
   AND e.flags & ${FLAG.compaction} <> 0 AND ${notCopied('e.turn', 'MAX(e.step, 0)')}`,
  {
    session: ['text', '', 's.short'],
    turn: ['integer', '', 'e.turn'],
    event: ['integer', '', 'e.idx'],
    at: ['time', '', 'e.ms'],
    before: [
      'integer',
      "tokens of the context by the client's own count, else at the last response before it",
      `COALESCE((SELECT c.tokens FROM {db}.compactions c WHERE c.session = e.session AND c.event = e.idx),
        ${contextAt('<', 'DESC')})`,
    ],
    after: ['integer', 'at the first response after it', contextAt('>', 'ASC'), 'rare'],
  },
);

const FINDINGS = table(
  'findings',
  'finding of the analysis',
  `{db}.findings f JOIN {db}.sessions s ON s.key = f.session
   LEFT JOIN {db}.events e ON e.session = f.session AND e.idx = f.event WHERE s.copy_of IS NULL`,
  {
    session: ['text', '', 's.short'],
    turn: ['integer', '', 'f.turn'],
    event: ['integer', '', 'f.event'],
    at: ['time', 'of the event', 'e.ms'],
    kind: ['text', 'failures, checks, rejected, loops, retries, …', 'f.kind'],
    severity: [SEVERITIES, '', 'f.severity', 'rare'],
    message: ['text', '', 'f.message'],
  },
);

/** The sessions as tables. Texts of messages and costs come from functions. */
export const SESSION_TABLES: SqlSubject = {
  tables: [SESSIONS, TURNS, CALLS, FAILURES, COMMANDS, EDITS, MESSAGES, STOPS, COMPACTIONS, USAGE, FINDINGS],
  within: scopeOfQuery,
  functions: (connection, _schemas, { prices }) => ({
    event_text: eventTexts(connection),
    response_cost: responseCost(prices),
    complains: (prompt = null) => (complains(String(prompt ?? '')) ? 1 : 0),
  }),
};
