import type { Database } from '../../store/database.ts';
import { SEPARATOR, unpackBody, unpackMarks } from '../ingest/blocks.ts';

/** Reads the redacted texts of a session's events between two indexes, as search sees them, long ones whole. */
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
    const parts = new Map<number, string[]>();
    let before = '';
    for (const { marks, body } of rows) {
      if (!(body instanceof Uint8Array)) continue;
      const pieces = unpackBody(body).split(SEPARATOR);
      for (const [index, { event, shared = 0 }] of unpackMarks(String(marks)).entries()) {
        if (event < first || event > last) continue;
        const known = parts.get(event);
        const piece = pieces[index] ?? '';
        if (known === undefined) parts.set(event, [piece]);
        else known.push(withoutShared(before, piece, shared));
        before = piece;
      }
    }
    return new Map([...parts].map(([event, pieces]) => [event, pieces.join('')]));
  };
}

/** Neighbouring pieces of a long text overlap. Only the previous piece is compared, however long the text. */
function withoutShared(before: string, piece: string, shared: number): string {
  return before.endsWith(piece.slice(0, shared)) ? piece.slice(shared) : piece;
}
