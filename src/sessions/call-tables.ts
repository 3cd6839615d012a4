import { TOOL_STATUSES } from './model/event.ts';
import { TOOL_KINDS } from './model/tool-kinds.ts';
import { callStatus } from './search/call-filter.ts';
import { nextPrompt, notCopied, table } from './table-parts.ts';

/* Tool calls as tables: the calls, the failures in their checks, and the commands they ran. */

export const CALLS = table(
  'calls',
  'tool call',
  `{db}.tools t JOIN {db}.sessions s ON s.key = t.session WHERE ${notCopied('t.turn', 't.step')}`,
  {
    session: ['text', '', 's.short'],
    turn: ['integer', '', 't.turn'],
    step: ['integer', '', 't.step', 'rare'],
    event: ['integer', '', 't.call'],
    at: ['time', '', 't.started_ms'],
    tool: ['text', 'name of the tool', 't.name'],
    kind: [
      TOOL_KINDS.filter((kind) => kind !== 'write'),
      '',
      "CASE t.kind WHEN 'write' THEN 'edit' ELSE t.kind END",
    ],
    target: ['text', 'file, pattern, address or task', 't.target'],
    repo_path: [
      'text',
      'the one file it is about, as in edits; also of searches and commands such as sed',
      't.repo_path',
    ],
    command: ['text', 'what was run', 't.command'],
    program: ['text', 'of the command, with its subcommand: go test, npm run build', 't.program'],
    status: [
      TOOL_STATUSES,
      'failed also if its check did; cancelled: by a person (see stops), the agent, or since a call beside it failed; unknown: its agent does not log it',
      callStatus('t'),
    ],
    exit_code: ['integer', '', 't.exit_code', 'rare'],
    error: [
      'text',
      'why it failed or was cancelled, of checks all failed tests; words of the person who rejected it, else their next prompt',
      `CASE WHEN t.status = 'rejected' AND t.error IS NULL
        THEN substr('next prompt: ' || ${nextPrompt('t.session', 't.turn')}, 1, 300)
        WHEN t.status = 'cancelled' AND t.error IS NULL
        AND event_text('{db}', t.session, NULLIF(t.result, -1)) LIKE '%Sibling tool call errored%'
        THEN 'a call beside it failed' ELSE t.error END`,
    ],
    error_class: [
      'text',
      'error without numbers, paths, names; go test: FAIL; timed out: stopped at its time limit',
      't.error_class',
    ],
    check: [['test', 'build', 'lint', 'typecheck'], '', 't.check_kind'],
    check_failed: [
      'integer',
      '1 or 0, also where a pipe hid the exit code; NULL if a filter kept the verdict',
      't.check_failed',
    ],
    ms: [
      'integer',
      'how long it took; with waiting for approval unless the log tells when it began to run',
      'COALESCE(t.duration_ms, CASE WHEN t.result < 0 THEN NULL ELSE NULLIF(t.ended_ms - t.started_ms, 0) END)',
    ],
    input: ['text', 'its arguments, whole', "event_text('{db}', t.session, t.call)"],
    result: ['text', 'what came back, whole', "event_text('{db}', t.session, NULLIF(t.result, -1))"],
    result_bytes: ['integer', '', 'CASE WHEN t.result < 0 THEN NULL ELSE t.result_bytes END', 'rare'],
    result_event: ['integer', '', 'NULLIF(t.result, -1)', 'rare'],
    agent_type: ['text', 'kind of the subagent that it started', 't.agent_type'],
    agent_session: [
      'text',
      'session of the subagent it started; NULL if no log names it, so that its calls are missing',
      `COALESCE((SELECT c.short FROM {db}.sessions c WHERE c.id = t.agent_id AND c.copy_of IS NULL LIMIT 1),
        (SELECT c.short FROM {db}.sessions c WHERE c.parent_id = s.id AND c.spawn_call = t.call_id
        AND c.copy_of IS NULL LIMIT 1))`,
      'rare',
    ],
    agent_calls: [
      'integer',
      'calls that the subagent made, by its own log or what this one reports',
      `COALESCE((SELECT c.tool_calls FROM {db}.sessions c WHERE c.id = t.agent_id AND c.copy_of IS NULL LIMIT 1),
        (SELECT c.tool_calls FROM {db}.sessions c WHERE c.parent_id = s.id AND c.spawn_call = t.call_id
        AND c.copy_of IS NULL LIMIT 1), t.agent_calls)`,
    ],
  },
);

/** Columns that locate a row belonging to a call. */
const OF_CALL = {
  session: ['text', '', 's.short'],
  turn: ['integer', '', 't.turn'],
  event: ['integer', 'of the call', 't.call'],
  at: ['time', '', 't.started_ms'],
} as const;

/** The next call of the session in which the same kind of check as in call `t` passed. */
const passedNext = (
  column: string,
) => `(SELECT p.${column} FROM {db}.tools p WHERE p.session = t.session AND p.call > t.call
  AND p.check_kind = t.check_kind AND p.check_failed = 0 ORDER BY p.call LIMIT 1)`;

const NAME = "COALESCE(NULLIF(f.name, ''), t.program, t.name)";
export const FAILURES = table(
  'failures',
  'test, package or error of a failed check',
  `{db}.failures f JOIN {db}.tools t ON t.session = f.session AND t.call = f.call
   JOIN {db}.sessions s ON s.key = f.session WHERE ${notCopied('t.turn', 't.step')}`,
  {
    ...OF_CALL,
    runner: ['text', 'go test, pytest, vitest, tsc, …', 'COALESCE(f.runner, t.program)'],
    kind: [['test', 'package', 'error', 'check'], 'check: one that names nothing', 'f.kind'],
    name: ['text', 'of the test or package; code of the error', NAME],
    path: ['text', 'as the output has it', 'f.path'],
    line: ['integer', '', 'f.line'],
    message: ['text', '', 'f.message'],
    fixed: [
      'time',
      'when a check of the same kind passed next in the session; NULL: never',
      passedNext('started_ms'),
    ],
    fixed_event: ['integer', 'the call that ran it', passedNext('call'), 'rare'],
  },
);

export const COMMANDS = table(
  'commands',
  'simple command of a call: `a && b | c` has three',
  `{db}.commands c JOIN {db}.tools t ON t.session = c.session AND t.call = c.call
   JOIN {db}.sessions s ON s.key = c.session WHERE ${notCopied('t.turn', 't.step')}`,
  {
    ...OF_CALL,
    name: ['text', 'of the program: git', "substr(c.program, 1, instr(c.program || ' ', ' ') - 1)", 'rare'],
    program: ['text', 'with its subcommand: git commit; name has git alone', 'c.program'],
    command: ['text', '', 'c.command', 'rare'],
    status: [['ok', 'failed', 'skipped'], 'NULL where the log does not tell', 'c.status'],
  },
);
