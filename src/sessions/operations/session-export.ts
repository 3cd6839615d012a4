import { z } from 'zod';
import { cutText } from '../../contract/bytes.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { EXPORT_FORMATS, type ExportedEvent, type ExportHead } from '../export/export-formats.ts';
import { FLAG } from '../model/event-rows.ts';
import { withoutBinary } from '../model/tool-kinds.ts';
import { resumeCommand } from '../recall/resume-command.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { readableText } from './event-text.ts';
import { endTime } from './recorded-times.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';
import { iso, placeNumber, snip } from './session-text.ts';
import { piecesOf } from './text-pieces.ts';

const exportSchema = z.object({
  session_id: z.string(),
  as: z.enum(['markdown', 'html', 'json']),
  pieces: z
    .array(z.object({ text: z.string() }))
    .describe('the file is these joined with those of the next pages'),
});

type Exported = ReadonlyData<typeof exportSchema>;

const sessionExportInput = z.strictObject({
  session_id,
  as: z
    .preprocess((given) => (given === 'md' ? 'markdown' : given), z.enum(['markdown', 'html', 'json']))
    .default('markdown')
    .describe('what to write'),
  result_bytes: z
    .int()
    .min(0)
    .max(100_000_000)
    .default(20_000)
    .describe('tool results are cut after this many bytes; 0 keeps them whole'),
});

/** A part of the file and its origin: an event, and a byte offset in what is written for it. */
interface Piece {
  readonly event: number;
  readonly offset: number;
  /** Whether another event was written before this one. */
  readonly begun: boolean;
  readonly text: string;
}

type Place = Pick<Piece, 'event' | 'offset' | 'begun'>;

const BEFORE_EVENTS = -1;
const EVENTS_PER_READ = 64;
const MAX_PIECE_BYTES = 16_000;
/** JSON escapes can make a text several times as long, and a piece that does not fit on a page would be cut. */
const PIECES_PER_PAGE = 8;
const MAX_TITLE_LENGTH = 200;
/** More than any session has. */
const ALL_EVENTS = 10_000_000;

export const sessionExport = operation<SessionServices>()({
  name: 'session_export',
  toolset: undefined,
  readOnly: true,
  summary:
    'A session as one file to keep or to send: Markdown, HTML or JSON. Secrets are redacted, pictures and long results are cut.',
  input: sessionExportInput,
  data: exportSchema,
  limit: { default: ALL_EVENTS, max: ALL_EVENTS },
  rows: 'pieces',
  aliases: { ...SESSION_ALIASES, format: 'as' },
  http: 'GET /api/agent-sessions/{session_id}/export',
  command: {
    words: 'sessions export',
    positional: ['session_id'],
    examples: [
      'pinhole sessions export 5e55a001 > session.md',
      'pinhole sessions export last --as html > session.html',
    ],
  },

  async run({ session_id, as, result_bytes }, { sessions, after, budget }) {
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const [event = BEFORE_EVENTS, offset = 0, begun = 0] = Array.isArray(after) ? after.map(Number) : [];
    const place = { event, offset, begun: begun === 1 };
    const size = Math.min(MAX_PIECE_BYTES, Math.ceil(budget / PIECES_PER_PAGE));
    return page<Piece, Exported>({
      rows: pieces(sessions, session, { as, resultBytes: result_bytes, size }, place),
      position: (last) => [last.event, last.offset + Buffer.byteLength(last.text), last.begun ? 1 : 0],
      shape: (shown) => ({ session_id: id, as, pieces: shown.map(({ text }) => ({ text })) }),
    });
  },

  text: ({ pieces }) =>
    pieces
      .map(({ text }) => text)
      .join('')
      .replace(/\n$/, ''),
});

/** The file, starting at a given place. */
async function* pieces(
  sessions: Sessions,
  session: SessionRow,
  { as, resultBytes, size }: { as: Exported['as']; resultBytes: number; size: number },
  from: Place,
): AsyncGenerator<Piece> {
  const { head, event: write, foot } = EXPORT_FORMATS[as];
  let { begun } = from;
  const cut = (event: number, text: string): readonly Piece[] =>
    [...piecesOf(text, event === from.event ? from.offset : 0, size)].map((piece) => ({
      ...{ event, begun, offset: piece.offset, text: piece.text },
    }));
  if (from.event === BEFORE_EVENTS) yield* cut(BEFORE_EVENTS, head(await headOf(sessions, session)));
  for (let first = Math.max(0, from.event); first < session.events; first += EVENTS_PER_READ) {
    for (const meta of await sessions.events.range(session, first, first + EVENTS_PER_READ - 1)) {
      if ((meta.flags & (FLAG.mirror | FLAG.silent)) !== 0) continue;
      const { index, type, name, status, ms, turn } = meta;
      const format = as === 'json' ? 'json' : 'text';
      const whole = withoutBinary((await readableText(sessions, session, meta, { format })).text);
      const text = type === 'tool_result' && resultBytes > 0 ? cutText(whole, resultBytes) : whole;
      const one: ExportedEvent = {
        ...{ event: index, turn: placeNumber(turn), type, name, status, at: iso(ms), text },
      };
      yield* cut(index, write(one, !begun));
      begun = true;
    }
  }
  yield* cut(session.events, foot);
}

async function headOf(sessions: Sessions, session: SessionRow): Promise<ExportHead> {
  const { total, cost, unpriced } = await sessions.usage.ofSession(session);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['session', session.id],
    ['agent', [session.provider, session.version].filter((word) => word !== undefined).join(' ')],
    ['model', session.model],
    ['project', session.projectPath ?? session.cwd],
    ['branch', session.branch],
    ['started', iso(session.startMs)],
    ['ended', endTime(sessions, session)],
    ['turns', String(session.turns)],
    ['tokens', total === 0 ? undefined : String(total)],
    ['cost', unpriced.length > 0 || total === 0 ? undefined : `about $${cost.toFixed(2)}`],
    ['resume', resumeCommand(session, sessions.providers)],
  ];
  return {
    title: snip(session.title ?? session.snippet, MAX_TITLE_LENGTH) || session.id,
    facts: facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  };
}
