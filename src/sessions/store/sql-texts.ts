import type { SqlConnection, SqlValue } from '../../store/sql-table.ts';
import { SEPARATOR, unpackBody, unpackMarks } from '../ingest/blocks.ts';
import { joinPieces, type Piece } from './texts.ts';

/** How many characters of unpacked texts are kept; queries read events in order, so few are needed. */
const MAX_KEPT_CHARACTERS = 4 << 20;
/** After a pause this long, another query may be running, and logs may have been read again. */
const FORGET_MS = 300;

/** The text of an event as search sees it, for SQL: `event_text(schema, session, event)`. NULL if it has none. */
export function eventTexts(connection: SqlConnection): (...values: SqlValue[]) => SqlValue {
  const known = new Map<string, string>();
  let kept = 0;
  let asked = 0;

  return (schema, session, event) => {
    const now = Date.now();
    if (now - asked > FORGET_MS || kept > MAX_KEPT_CHARACTERS) {
      known.clear();
      kept = 0;
    }
    asked = now;
    const place = `${schema}:${session}:`;
    const ready = known.get(`${place}${event}`);
    if (ready !== undefined) return ready;
    const wanted = Number(event);
    const texts = textsAround(connection, String(schema), Number(session), wanted);
    for (const [at, text] of texts) {
      known.set(`${place}${at}`, text);
      kept += text.length;
    }
    return texts.get(wanted) ?? null;
  };
}

/** The text of an event, and of other events in the same blocks if it is complete there. */
function textsAround(
  connection: SqlConnection,
  schema: string,
  session: number,
  event: number,
): ReadonlyMap<number, string> {
  if (!/^\w+$/.test(schema)) return new Map();
  const rows = connection.all(
    `SELECT t.marks, t.body FROM ${schema}.blocks b JOIN ${schema}.bodies t ON t.block = b.id
     WHERE b.session = ? AND b.last_event >= ? AND b.first_event <= ? ORDER BY b.id`,
    ...[session, event, event],
  );
  const pieces = new Map<number, Piece[]>();
  let last = -1;
  for (const { marks, body } of rows) {
    if (!(body instanceof Uint8Array)) continue;
    const texts = unpackBody(body).split(SEPARATOR);
    for (const [index, { event: at, shared = 0 }] of unpackMarks(String(marks)).entries()) {
      last = at;
      const piece = { text: texts[index] ?? '', shared };
      const before = pieces.get(at);
      if (before === undefined) pieces.set(at, [piece]);
      else before.push(piece);
    }
  }
  const whole = [...pieces].filter(
    // Other texts may begin in the previous block or end in the next one.
    ([at, [first]]) => at === event || (at !== last && (first?.shared ?? 0) === 0),
  );
  return new Map(whole.map(([at, parts]) => [at, joinPieces(parts)]));
}
