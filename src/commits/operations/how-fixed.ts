import { z } from 'zod';
import { countOf } from '../../contract/format.ts';
import { type CallContext, operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { isoTime } from '../../contract/time.ts';
import { callSearchEvents } from '../../sessions/calls.ts';
import { freshness } from '../../sessions/operations/index-freshness.ts';
import { searchOf } from '../../sessions/operations/search-scope.ts';
import { machine, person } from '../../sessions/operations/session-inputs.ts';
import { snip } from '../../sessions/operations/session-text.ts';
import type { FailureScope } from '../../sessions/store/fixed-failures.ts';
import { type ChosenFix, chooseFixes } from '../fixes/choose-fixes.ts';
import { type AskedError, askedError, isMessage, says } from '../fixes/rank-fixes.ts';
import { stillThere } from '../fixes/still-there.ts';
import type { CommitServices } from '../services.ts';
import { repositoryAround } from './repository.ts';

const fixSchema = z.object({
  session_id: z.string(),
  machine: z.string().optional().describe('on a team server: where it ran'),
  person: z.string().optional(),
  timestamp: z.string(),
  error: z.string(),
  likeness: z.enum(['same', 'class']).describe('the same error, or only one of the same class'),
  failed_event: z.int(),
  command: z.string(),
  passed_event: z.int(),
  passed_command: z.string().optional().describe('where it differs'),
  edits: z.array(
    z.object({
      path: z.string(),
      event_index: z.int(),
      diff: z.string().optional(),
      still_there: z
        .enum(['yes', 'partly', 'no', 'unknown'])
        .describe('whether its lines are in the file now'),
    }),
  ),
});

const howFixedSchema = z.object({
  error: z.string().describe('as it was understood'),
  class: z.string().optional(),
  seen: z.int().describe('failures of this class in all sessions'),
  fixes: z.array(fixSchema),
  vague: z
    .literal(true)
    .optional()
    .describe('the text names no test, message or rule to tell failures apart'),
  occurs: z.int().optional().describe('sessions that have the text, where it is not known as an error'),
});

type HowFixed = ReadonlyData<typeof howFixedSchema>;
type FixRow = ReadonlyData<typeof fixSchema>;

const howFixedInput = z.strictObject({
  error: z.string().min(3).max(20_000).describe('what was printed; the whole output is best'),
  machine: machine.optional(),
  person: person.optional(),
});

const MAX_ERROR_LENGTH = 200;
const MAX_COMMAND_LENGTH = 100;
const MAX_FIXES = 2;
const MAX_EDITS = 3;
const DIFF_LINES = 8;

export const howFixed = operation<CommitServices>()({
  name: 'how_fixed',
  toolset: 'sessions',
  readOnly: true,
  summary:
    'How an error was fixed before: the edits until the same command passed, and whether they are still there.',
  input: howFixedInput,
  data: howFixedSchema,
  unlisted: ['machine', 'person'],
  aliases: { text: 'error', message: 'error', output: 'error' },
  http: ['GET /api/how-fixed', 'POST /api/how-fixed'],
  command: {
    words: 'sessions how-fixed',
    positional: ['error'],
    examples: ["pinhole sessions how-fixed 'undefined: parseFlags'"],
  },

  async run({ error, machine, person }, ctx) {
    const { sessions, caller } = ctx;
    const scope = { machine, person, except: caller.session };
    const meta = await freshness(sessions);
    const asked = await withWords(askedError(error), scope, ctx);
    const failures = await sessions.failures.ofClasses(asked.classes, scope);
    const chosen = (await chooseFixes(asked, failures, sessions)).slice(0, MAX_FIXES);
    const root = await repositoryAround('.', true, ctx).then(
      (found) => found.root,
      () => undefined,
    );
    const fixes: FixRow[] = [];
    for (const fix of chosen) fixes.push(await fixRow(fix, root, ctx));
    const seen = await sessions.failures.count(asked.classes, scope);
    const occurs = seen === 0 ? await sessionsWith({ query: asked.text, machine, person }, ctx) : 0;
    return single<HowFixed>(
      {
        error: snip(asked.text, MAX_ERROR_LENGTH),
        class: asked.classes[0],
        seen,
        fixes,
        vague: asked.vague && seen > 0 ? true : undefined,
        occurs: occurs === 0 ? undefined : occurs,
      },
      occurs === 0 ? { meta } : { meta, next: [callSearchEvents({ query: asked.text })], guides: true },
    );
  },

  text: ({ error, class: kind, seen, fixes, vague, occurs }) => {
    if (occurs !== undefined) return `Not matched as an error; it occurs in ${countOf(occurs, 'session')}.`;
    if (vague)
      return `Seen ${countOf(seen, 'time')} (${kind}), but this names no test, message or rule. Give more of the output.`;
    if (fixes.length === 0)
      return seen === 0
        ? `Never seen: ${error}`
        : `Seen ${countOf(seen, 'time')} (${kind}), but the command never passed after it in the same session.`;
    const first =
      fixes[0]?.likeness === 'same'
        ? []
        : [`Nothing certain: no session had this very error. One of the same class (${kind}):`];
    return [...first, ...fixes.map(fixText)].join('\n');
  },
});

/** The error with the classes it has in sessions where it is part of the output. */
async function withWords(
  asked: AskedError,
  scope: FailureScope,
  { sessions }: CommitServices,
): Promise<AskedError> {
  if (!isMessage(asked.text)) return asked;
  const found = await sessions.failures.saying(asked.text, scope);
  const kinds = found.filter(({ error }) => says(error, asked.text)).map(({ kind }) => kind);
  return kinds.length === 0 ? asked : { ...asked, classes: [...new Set(kinds)] };
}

/** How many sessions contain a text, according to a search. */
async function sessionsWith(
  asked: Parameters<typeof searchOf>[0] & { readonly query: string },
  ctx: CallContext & CommitServices,
): Promise<number> {
  if (asked.query === '') return 0;
  const { query, scope } = await searchOf(asked, ctx);
  const found = new Set<number>();
  for await (const { key } of ctx.sessions.search.find(query, scope, ctx.signal)) found.add(key);
  return found.size;
}

async function fixRow(
  { failure, likeness, edits: related }: ChosenFix,
  root: string | undefined,
  { sessions, roots }: CallContext & CommitServices,
): Promise<FixRow> {
  const { session, action, passedAction } = failure;
  const edits: FixRow['edits'][number][] = [];
  for (const { edit, diff: whole } of related.slice(0, MAX_EDITS)) {
    edits.push({
      path: edit.repoPath,
      event_index: edit.event,
      diff: await sessions.files.changes.diffAt(session, edit.event, edit.path, DIFF_LINES),
      still_there: whole === undefined ? 'unknown' : await stillThere(whole, edit, roots, root),
    });
  }
  return {
    session_id: await sessions.list.shortId(session.id),
    machine: session.machine,
    person: session.person,
    timestamp: isoTime(failure.ms),
    error: snip(failure.error, MAX_ERROR_LENGTH),
    likeness,
    failed_event: failure.call,
    command: snip(action, MAX_COMMAND_LENGTH),
    passed_event: failure.passed,
    passed_command: passedAction === action ? undefined : snip(passedAction, MAX_COMMAND_LENGTH),
    edits,
  };
}

const STILL: Readonly<Record<FixRow['edits'][number]['still_there'], string>> = {
  yes: 'still there',
  partly: 'changed since',
  no: 'no longer there',
  unknown: 'file not readable here',
};

function fixText(fix: FixRow): string {
  const passed = fix.passed_command === undefined ? '' : `: ${fix.passed_command}`;
  return [
    `${fix.session_id} ${fix.timestamp.slice(0, 10)} ${fix.error}`,
    ` e${fix.failed_event} failed: ${fix.command}`,
    ` e${fix.passed_event} passed${passed}`,
    ...(fix.edits.length === 0 ? [' no edit between'] : []),
    ...fix.edits.flatMap(({ path, event_index, diff, still_there }) => [
      ` e${event_index} ${path} (${STILL[still_there]})`,
      ...(diff === undefined ? [] : [diff]),
    ]),
  ].join('\n');
}
