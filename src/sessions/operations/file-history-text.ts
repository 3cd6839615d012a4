import { z } from 'zod';
import { columns } from '../../contract/format.ts';
import type { ReadonlyData, TextStyle } from '../../contract/operation.ts';
import { placeText, shortTime } from './session-text.ts';

export const touchCardSchema = z.object({
  session_id: z.string(),
  event_index: z.int(),
  turn_index: z.int().optional(),
  step_index: z.int().optional(),
  timestamp: z.string(),
  action: z.string(),
  tool: z.string(),
  machine: z.string().optional().describe('on a team server: where it ran'),
  person: z.string().optional(),
  status: z.string().optional(),
  added: z.int().optional().describe('lines that the edit added'),
  removed: z.int().optional(),
  path: z.string().optional().describe('set if it is not the path that was asked for'),
  why: z.string().optional().describe('what the turn was asked to do'),
  diff: z.string().optional(),
  link: z.string().optional(),
});

export const editedFileSchema = z.object({
  path: z.string().describe('from the root of the repository'),
  repo: z.string().optional().describe('set if there are several'),
  sessions: z.int(),
  edits: z.int(),
  failed: z.int(),
  rejected: z.int(),
  added: z.int(),
  removed: z.int(),
  last_at: z.string(),
});

type TouchCard = ReadonlyData<typeof touchCardSchema>;
type EditedFileCard = ReadonlyData<typeof editedFileSchema>;

interface Shown {
  readonly path?: string | undefined;
  readonly touches?: readonly TouchCard[] | undefined;
  readonly files?: readonly EditedFileCard[] | undefined;
}

/** The most edited files, or the edits of one file. */
export function fileHistoryText({ path, touches, files }: Shown, style: TextStyle): string {
  if (files !== undefined) return filesText(files, style);
  if (touches === undefined || touches.length === 0) return `No session edited ${path}.`;
  return touches.map((touch, at) => touchText(touch, touches[at - 1], style)).join('\n');
}

function filesText(files: readonly EditedFileCard[], { terminal, paint }: TextStyle): string {
  if (files.length === 0) return 'No file was edited.';
  const rows = [
    ['sessions', 'edits', 'failed', 'rejected', 'lines', 'path'].map((name) => paint('heading', name)),
    ...files.map(({ repo, path, sessions, edits, failed, rejected, added, removed }) => {
      const name = repo === undefined ? path : `${repo}: ${path}`;
      return [...[sessions, edits, failed, rejected].map(String), linesText(added, removed), name];
    }),
  ];
  return terminal === undefined
    ? rows.map((row) => row.join(' ')).join('\n')
    : columns(rows, [0, 1, 2, 3, 4]);
}

/** `fb3cff44 e87 t2.3 11-14 edit +3 −1  "why"`, and the diff; values that the row above has are not repeated. */
function touchText(touch: TouchCard, before: TouchCard | undefined, style: TextStyle): string {
  const sameSession = before?.session_id === touch.session_id;
  const sameTurn = sameSession && before?.turn_index === touch.turn_index;
  const words = [
    `${sameSession ? '' : style.paint('id', touch.session_id)} ${placeText(touch)} ${shortTime(touch.timestamp, style)} ${touch.action}`,
    touch.status,
    touch.added === undefined || touch.removed === undefined
      ? undefined
      : linesText(touch.added, touch.removed),
    touch.path,
    sameTurn || touch.why === undefined ? undefined : ` "${touch.why}"`,
  ];
  const head = words.filter((word) => word !== undefined).join(' ');
  return touch.diff === undefined ? head : `${head}\n${touch.diff}`;
}

function linesText(added: number, removed: number): string {
  return `+${added} −${removed}`;
}
