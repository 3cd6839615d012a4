import { z } from 'zod';
import { countOf } from '../../contract/format.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { fitRecall, type Recalled } from '../recall/recall-fit.ts';
import { recallText } from '../recall/recall-text.ts';
import { askingSession, type FoundBy } from '../recall/self-session.ts';
import type { SessionServices } from '../services.ts';
import { freshness } from './index-freshness.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';

const textSchema = z.object({
  event_index: z.int(),
  turn_index: z.int().optional(),
  text: z.string(),
});

export const recallSchema = z.object({
  session_id: z.string(),
  found_by: z.enum(['argument', 'request', 'folder']).describe('how the session that asks was found'),
  may_be: z.array(z.string()).optional().describe('other running sessions of the folder'),
  compactions: z.int(),
  compacted_at: z.int().optional().describe('event of the last compaction'),
  first_event: z.int(),
  last_event: z.int(),
  folder: z.string().optional().describe('what paths are relative to'),
  asked: z.array(textSchema),
  said: z.array(textSchema).describe('what the agent said last'),
  files: z.array(
    z.object({
      path: z.string(),
      event_index: z.int(),
      edits: z.int().optional().describe('absent if only read'),
    }),
  ),
  ran: z
    .array(
      z.object({
        event_index: z.int(),
        command: z.string(),
        status: z.string(),
        exit_code: z.int().optional(),
      }),
    )
    .describe('last run of each program'),
  also_ran: z.array(z.string()).describe('other programs'),
  open: z.array(textSchema).describe('to-dos that are not done, checks that fail'),
  related: z
    .array(z.string())
    .describe('files that were talked about or found, or that sessions of this project change with these'),
  usual: z.array(z.string()).describe('other programs that sessions of this project ran'),
});

type RecallData = ReadonlyData<typeof recallSchema>;

const MAX_TEXT_BYTES = 2_000;
/** Reserved for the warning line and the line break. */
const RESERVED_BYTES = 20;

const recallInput = z.strictObject({
  session_id: session_id.optional().describe('self, which is the default, or any session'),
});

export const recall = operation<SessionServices>()({
  name: 'recall',
  toolset: 'sessions',
  readOnly: true,
  summary:
    'Your own session before the last compaction: asked, changed, run, said, left open, with event numbers.',
  input: recallInput,
  data: recallSchema,
  aliases: SESSION_ALIASES,
  http: 'GET /api/recall',
  command: {
    words: 'sessions recall',
    positional: ['session_id'],
    examples: ['pinhole sessions recall', 'pinhole sessions recall 5e55a001'],
  },

  async run(input, { sessions, caller, now }) {
    const meta = await freshness(sessions);
    const { session, by, others } = await askingSession(input.session_id, caller, sessions, now());
    const window = await sessions.recall.windowOf(session);
    const facts = await sessions.recall.facts(session, window);
    const head = {
      session_id: await sessions.list.shortId(session.id),
      found_by: by,
      may_be:
        others.length === 0
          ? undefined
          : await Promise.all(others.map(({ id }) => sessions.list.shortId(id))),
      compactions: window.compactions,
      compacted_at: window.compactedAt,
      first_event: window.first,
      last_event: window.last,
      folder: session.cwd ?? session.projectPath,
    };
    const fits = (chosen: Recalled) =>
      Buffer.byteLength(textOf({ ...head, ...chosen })) <= MAX_TEXT_BYTES - RESERVED_BYTES;
    return single<RecallData>({ ...head, ...fitRecall(facts, head.folder, fits) }, { meta });
  },

  text: textOf,
});

const FOUND_BY: Readonly<Record<FoundBy, string>> = {
  argument: 'as named',
  request: 'as the client says',
  folder: 'the log growing in this folder',
};

type Head = Omit<RecallData, keyof Recalled>;

function textOf(data: Head & Recalled): string {
  return `${headText(data)}\n${recallText(data)}`;
}

function headText(head: Head): string {
  const {
    session_id: id,
    found_by,
    may_be,
    compactions,
    compacted_at,
    first_event,
    last_event,
    folder,
  } = head;
  const compacted =
    compacted_at === undefined ? '' : `, ${countOf(compactions, 'compaction')}, the last at e${compacted_at}`;
  const lines = [
    `${id} (${FOUND_BY[found_by]}) e${first_event} to e${last_event}${compacted}`,
    ...(folder === undefined ? [] : [`in ${folder}`]),
  ];
  // Said first, because the answer may be about another session.
  if (may_be !== undefined)
    lines.unshift(`Also running here: ${may_be.join(', ')}. If you are one of them, give session_id.`);
  return lines.join('\n');
}
