import type { Database } from '../../store/database.ts';
import { SEPARATOR, unpackBody, unpackMarks } from '../ingest/blocks.ts';

/** Reads the redacted texts of a session's events between two indexes, as search sees them; long ones in full. */
export type IndexedTexts = (
  session: { readonly key: number },
  first: number,
  last: number,
) => Promise<ReadonlyMap<number, string>>;

export function indexedTexts(db: Database): IndexedTexts {
  return async (session, first, last) => {
    const rows = await db.all(
      `SELECT t.marks, t.body FROM blocks b JOIN bodies t ON t.block = b.id
       WHERE b.session = ? AND b.last_event >= ? AND b.first_event <= ? ORDER BY b.id`,
      ...[session.key, first, last],
    );
    const parts = new Map<number, Piece[]>();
    for (const { marks, body } of rows) {
      if (!(body instanceof Uint8Array)) continue;
      const pieces = unpackBody(body).split(SEPARATOR);
      for (const [index, { event, shared = 0 }] of unpackMarks(String(marks)).entries()) {
        if (event < first || event > last) continue;
        const known = parts.get(event);
        const piece = { text: pieces[index] ?? '', shared };
        if (known === undefined) parts.set(event, [piece]);
        else known.push(piece);
      }
    }
    return new Map([...parts].map(([event, pieces]) => [event, joinPieces(pieces)]));
  };
}

/** A piece of a long text, and how much of it repeats the end of the previous piece. */
export interface Piece {
  readonly text: string;
  readonly shared: number;
}

export function joinPieces(pieces: readonly Piece[]): string {
  const [first, ...others] = pieces;
  if (others.length === 0) return first?.text ?? '';
  return pieces
    .map(({ text, shared }, at) => {
      const before = pieces[at - 1]?.text;
      return before?.endsWith(text.slice(0, shared)) === true ? text.slice(shared) : text;
    })
    .join('');
}
