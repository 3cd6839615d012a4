import { fail, inputMessage } from '../../contract/errors.ts';

/*
 * What a caller's query may call. The role that runs it can read only the views, but every role may call `set_config`,
 * and so change back to the role of the server. Therefore functions are allowed by name, and the text for PostgreSQL is
 * put together from the pieces that were checked, so that both read it the same way.
 */

const FUNCTIONS = new Set(
  `abs ago any_value around array_agg array_length array_to_string avg bool_and bool_or btrim cardinality cbrt ceil
  ceiling char_length character_length coalesce concat concat_ws corr count cume_dist date_bin date_part date_trunc
  degrees dense_rank dirname div every exp extract first_value floor generate_series greatest group_concat ifnull
  initcap instr json_agg json_array_elements json_array_elements_text json_array_length json_build_array
  json_build_object json_each json_each_text json_extract_path_text json_object_agg json_object_keys jsonb_agg
  jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each
  jsonb_each_text jsonb_extract_path_text jsonb_object_agg jsonb_object_keys lag last_value lead least left length ln
  log log10 lower ltrim max md5 min mod mode nth_value ntile nullif octet_length overlay percent_rank percentile_cont
  percentile_disc pi position power pow radians random rank regexp regexp_count regexp_like regexp_match
  regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr replace reverse right round
  row_number rtrim sign size snip split_part sqrt starts_with stddev stddev_pop stddev_samp string_agg
  string_to_array strpos substr substring sum to_char to_date to_json to_number to_timestamp total translate trim
  trunc unnest upper var_pop var_samp variance width_bucket`.split(/\s+/),
);

/** SQL keywords and types that may precede a bracket. */
const WORDS = new Set(
  `all and any array as asc between bigint by case cast char cross cube decimal desc distinct else end except exists
  false filter float from full group grouping having ilike in inner integer intersect interval is join lateral left
  like limit materialized natural not null numeric offset on or order outer over partition real recursive right rollup
  row rows select sets similar smallint some text then time timestamp to true union using values varchar when where
  window with within`.split(/\s+/),
);

const PIECE =
  /--[^\n\r]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_\u0080-\uffff][\w\u0080-\uffff$]*|\d[\w.]*|\s+|[^\s]/gy;

interface Piece {
  readonly text: string;
  /** The name that is called if a bracket follows: in lower case, or as quoted. */
  readonly name?: string | undefined;
}

/** The query for PostgreSQL; throws unless it can only read. `timeText` formats times such as `ago('7d')`. */
export function checkedQuery(query: string, timeText: (age: string) => string): string {
  const pieces = piecesOf(query);
  const solid = pieces.filter(({ text }) => text !== ' ');
  const made: string[] = [];
  for (const [at, { name }] of solid.entries()) {
    if (name === undefined || solid[at + 1]?.text !== '(') continue;
    if (WORDS.has(name) || isColumnList(solid, at)) continue;
    if (!FUNCTIONS.has(name) || solid[at - 1]?.text === '.')
      fail(
        'invalid_parameter',
        `No function '${name}'. PostgreSQL's text, number, date, JSON and window functions are available, and so are ago, regexp, snip, around, dirname, size.`,
      );
  }
  for (let at = 0; at < pieces.length; at++) {
    const age = agoAt(pieces, at);
    made.push(age === undefined ? (pieces[at]?.text ?? '') : quoted(timeText(age.text)));
    at += age?.pieces ?? 0;
  }
  return made.join('').trim();
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

function piecesOf(query: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: text, index } of query.replace(/[\s;]+$/, '').matchAll(PIECE)) {
    const before = query[index - 1] ?? '';
    if (text.includes('\0')) fail('invalid_parameter', 'The query contains a NUL character.');
    if (text === ';') fail('invalid_parameter', inputMessage`${{ input: 'query' }} must be one statement.`);
    if (text === '$' || text === "'" || text === '"')
      fail('invalid_parameter', `The query has a ${text} without its other half, or $ outside of quotes.`);
    if (/^['"]/.test(text) && /[\w&$\u0080-\uffff]/.test(before))
      fail('invalid_parameter', `Write texts as 'text', without ${before} before the quotes.`);
    if (text.startsWith('/*') && text.indexOf('/*', 2) >= 0)
      fail('invalid_parameter', 'Nested comments are not supported.');
    pieces.push(pieceOf(text));
    end = index + text.length;
  }
  if (/\/\*/.test(query.slice(end))) fail('invalid_parameter', 'A comment is not closed.');
  return pieces;
}

function pieceOf(text: string): Piece {
  if (/^(?:\s|--|\/\*)/.test(text)) return { text: ' ' };
  if (/^[A-Za-z_\u0080-\uffff]/.test(text)) return { text, name: text.toLowerCase() };
  if (text.startsWith('"')) return { text, name: text.slice(1, -1).replaceAll('""', '"') };
  return { text };
}

/** `name (a, b) AS (…)` of a WITH, or the column names after an alias: not a call. */
function isColumnList(solid: readonly Piece[], at: number): boolean {
  if (solid[at - 1]?.name === 'as') return true;
  let close = at + 2;
  while (solid[close]?.name !== undefined || solid[close]?.text === ',') close++;
  if (solid[close]?.text !== ')') return false;
  if (solid[at - 1]?.text === ')') return true;
  return solid[close + 1]?.name === 'as' && /^(?:\(|not|materialized)$/i.test(solid[close + 2]?.text ?? '');
}

/** `ago('7d')` at a piece: its argument, and how many more pieces belong to it. */
function agoAt(
  pieces: readonly Piece[],
  at: number,
): { readonly text: string; readonly pieces: number } | undefined {
  if (pieces[at]?.name !== 'ago') return undefined;
  const solid: { readonly text: string; readonly at: number }[] = [];
  for (let next = at + 1; next < pieces.length && solid.length < 3; next++) {
    const { text } = pieces[next] ?? { text: '' };
    if (text !== ' ') solid.push({ text, at: next });
  }
  const [open, age, close] = solid;
  if (open?.text !== '(' || age?.text.startsWith("'") !== true || close?.text !== ')') return undefined;
  return { text: age.text.slice(1, -1).replaceAll("''", "'"), pieces: close.at - at };
}
