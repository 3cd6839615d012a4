import type { Database } from '../../store/database.ts';
import { SEPARATOR, unpackBody, unpackMarks } from '../ingest/blocks.ts';

/** Redacted texts of the events of a session between two indexes, as search sees them. Long ones are whole. */
export async function indexedTexts(
  db: Database,
  session: number,
  first: number,
  last: number,
): Promise<ReadonlyMap<number, string>> {
  const rows = await db.all(
    `SELECT t.marks, t.body FROM blocks b JOIN bodies t ON t.block = b.id
     WHERE b.session = ? AND b.last_event >= ? AND b.first_event <= ? ORDER BY b.id`,
    ...[session, first, last],
  );
  const texts = new Map<number, string>();
  for (const { marks, body } of rows) {
    if (!(body instanceof Uint8Array)) continue;
    const pieces = unpackBody(body).split(SEPARATOR);
    for (const [index, { event }] of unpackMarks(String(marks)).entries()) {
      if (event < first || event > last) continue;
      const known = texts.get(event);
      const piece = pieces[index] ?? '';
      texts.set(event, known === undefined ? piece : joinPieces(known, piece));
    }
  }
  return texts;
}

/** Neighbouring pieces of a long text share their ends. */
function joinPieces(before: string, piece: string): string {
  const shared = before.slice(-512);
  return piece.startsWith(shared) ? before + piece.slice(shared.length) : before + piece;
}
