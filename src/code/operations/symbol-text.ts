import { oneLine } from '../../contract/bytes.ts';
import type { TextStyle } from '../../contract/operation.ts';
import { type Paint, painter } from '../../contract/painted-text.ts';
import { isCommonMember } from '../symbols/resolve/common-members.ts';
import { unparsedText } from '../symbols/unparsed-languages.ts';
import { withoutFolder } from './shared-folder.ts';
import type { OneSymbol, Place, SymbolData } from './symbol-data.ts';

type Uses = NonNullable<SymbolData['callers']>;
type Totals = Readonly<Record<string, number>>;

/** With more files than this, each gets its own line. */
const FILES_PER_LINE = 3;
const MANY_TESTS = 4;
/** How many of the names that are not found here are shown. */
const MAX_OUTSIDE_NAMES = 10;

/** The definition, its lines with their numbers, then who uses it; several with an empty line between them. */
export function symbolText(
  { symbols, short, late, ...data }: SymbolData,
  { terminal, paint = painter(terminal) }: Partial<Pick<TextStyle, 'terminal' | 'paint'>> = {},
): string {
  const all = symbols ?? [data];
  // A terminal can open only whole paths.
  if (terminal !== undefined) return all.map((each) => oneText(each, paint)).join('\n\n');
  const { folder, value } = withoutFolder(all);
  const text = value.map((each) => oneText(each, paint, short !== undefined)).join('\n\n');
  return [
    ...(late === undefined ? [] : [`Not looked up in time: ${late.map(oneLine).join(', ')}.`]),
    ...(short === undefined ? [] : [SHORT[short]]),
    ...(folder === '' ? [] : [`paths in ${oneLine(folder)}`]),
    text,
  ].join('\n');
}

/** How the bodies of an answer differ from their files. */
const SHORT = {
  lines: 'Shortened: one space per level, no lone brackets.',
  comments: 'Shortened: one space per level, no lone brackets, no comments.',
} as const;

function oneText(data: OneSymbol, paint: Paint, short = false): string {
  const { symbol, body = [], others = [], implementations, callees, outside, totals = {} } = data;
  const { unknown, unread, unparsed = [], did_you_mean = [] } = data;
  const lines: string[] = [];
  if (unknown !== undefined) {
    const meant = did_you_mean.length > 0 ? ` Did you mean ${did_you_mean.map(oneLine).join(', ')}?` : '';
    const isSure = unread !== true && unparsed.length === 0;
    const where = isSure ? 'Nothing here defines' : 'No file that was read defines';
    const rest = unparsed.length > 0 ? ` ${unparsedText(unparsed)}` : '';
    lines.push(`${where} ${oneLine(unknown)}.${rest}${meant}`);
  }
  for (const { path, line, in: inside, calls } of data.calls ?? [])
    lines.push(
      `${filePlace(path, line, paint)} in ${oneLine(inside)} calls ${placeText(calls, paint, path)}`,
    );
  if (data.calls !== undefined) lines.push('A shortest chain of certain calls; there may be others.');
  if (data.no_path !== undefined) lines.push(oneLine(data.no_path));
  if (symbol !== undefined) lines.push(placeText(symbol, paint));
  if (symbol?.signature !== undefined) lines.push(oneLine(symbol.signature));
  let last: number | undefined;
  for (const { line, text, gap } of body) {
    if (last !== undefined && gap === true)
      lines.push(paint('aside', `… lines ${last + 1}-${line - 1} left out`));
    lines.push(`${paint('line', String(line))}${short ? ' ' : '  '}${oneLineKeepingTabs(text)}`);
    last = line;
  }
  const shown = body.at(-1)?.line;
  if (symbol !== undefined && shown !== undefined && shown < symbol.line_end) lines.push('…');
  for (const other of others) lines.push(`also: ${placeText(other, paint)}`);
  const unnamed = data.refs || data.callers || callees ? (totals.others ?? 0) - others.length : 0;
  if (others.length > 0 && unnamed > 0) lines.push(`also: ${unnamed} more (show=body)`);
  if (implementations !== undefined) {
    const places = implementations.map(
      ({ name, path, line_start }) => `${oneLine(name)} ${filePlace(path, line_start, paint)}`,
    );
    lines.push(`implementations (${totals.implementations ?? places.length}): ${places.join('; ')}`);
  }
  for (const part of ['callers', 'refs'] as const) {
    const uses = data[part];
    if (uses !== undefined) lines.push(usesText(part, usesCount(totals, part, uses), uses, paint));
    else if (totals[part] === 0) lines.push(`${part}: ${noneText(totals)}`);
  }
  lines.push(...possibleText(data.possible, totals, paint));
  for (const { name, callers } of data.callers_of ?? [])
    lines.push(
      callers.length === 0
        ? `callers of ${oneLine(name)}: none certain`
        : usesText(`callers of ${oneLine(name)}`, callers.length, callers, paint),
    );
  if (data.tests !== undefined)
    lines.push(
      testsText(
        data.tests,
        totals.tests ?? data.tests.length,
        symbol !== undefined && body.length > 0,
        paint,
      ),
    );
  if (callees !== undefined) {
    const named = callees.map((callee) => calleeText(callee, symbol?.path, paint));
    const known = totals.callees ?? callees.length;
    const { called = known } = totals;
    lines.push(`callees (${called > known ? `${known} of ${called}` : known}): ${named.join('; ')}`);
  }
  if (data.possible_callees !== undefined)
    lines.push(
      `possible callees: ${data.possible_callees.map((callee) => calleeText(callee, symbol?.path, paint)).join('; ')}`,
    );
  if (outside !== undefined) lines.push(outsideText(outside));
  return lines.join('\n');
}

/** `not found here: print at 39 and 4 more`: names that many libraries have say least. */
function outsideText(names: NonNullable<OneSymbol['outside']>): string {
  const telling = names
    .filter(({ name }) => !isCommonMember(name) && !isCommonMember(name.toLowerCase()))
    .slice(0, MAX_OUTSIDE_NAMES);
  const shown = telling.map(({ name, lines }) => `${oneLine(name)} at ${lines.join(', ')}`).join('; ');
  const left = names.length - telling.length;
  if (shown === '') return `not found here: ${left} common ${left === 1 ? 'name' : 'names'}`;
  return `not found here: ${shown}${left > 0 ? ` and ${left} more` : ''}`;
}

/** `Pool.count :12 at 8, 9`: what is called, where it is defined, and the lines that call it. */
function calleeText(
  { name, path, line, lines }: NonNullable<OneSymbol['callees']>[number],
  from: string | undefined,
  paint: Paint,
): string {
  const file = path === from ? '' : (path ?? '');
  return `${oneLine(name)} ${filePlace(file, line ?? 0, paint)} at ${lines.join(', ')}`;
}

/** `src/pool.ts:10`. */
function filePlace(path: string, line: number | string, paint: Paint): string {
  return `${paint('path', oneLine(path))}:${paint('line', String(line))}`;
}

/** The other counts if no use is certain; a bare `none` only if the name is used nowhere. */
function noneText(totals: Totals): string {
  const { possible = 0, other_refs = 0, same_name = 0, elsewhere = 0 } = totals;
  const rest = [
    ...(elsewhere > 0 ? [`${elsewhere} outside this path`] : []),
    ...(possible > 0 ? [`${possible} possible`] : []),
    ...(other_refs > 0
      ? [`${other_refs} other ${other_refs === 1 ? 'reference' : 'references'} (show=refs)`]
      : []),
    ...(same_name > 0
      ? [`${same_name} ${same_name === 1 ? 'use' : 'uses'} of the name taken for something else`]
      : []),
  ];
  return rest.length === 0 ? 'none' : `none certain; ${rest.join('; ')}`;
}

/** `Pool.acquire  method  src/pool.ts:10-20`. */
function placeText({ name, kind, path, line_start, line_end }: Place, paint: Paint, from?: string): string {
  const range = line_start === line_end ? line_start : `${line_start}-${line_end}`;
  return `${paint('heading', oneLine(name))}  ${kind}  ${filePlace(path === from ? '' : path, range, paint)}`;
}

function usesCount(totals: Totals, part: 'callers' | 'refs', uses: Uses): string {
  const { [part]: total = uses.length, elsewhere } = totals;
  return elsewhere === undefined ? String(total) : `${total}; ${elsewhere} outside this path`;
}

/** `possible (105; 88 in tests): lib/a.c:3 in run; …; all: show=callers`. */
function possibleText(uses: Uses | undefined, totals: Totals, paint: Paint): string[] {
  const { possible = uses?.length ?? 0, possible_tests } = totals;
  if (possible_tests === undefined)
    return uses === undefined ? [] : [usesText('possible', possible, uses, paint)];
  const total = possible_tests > 0 ? `${possible}; ${possible_tests} in tests` : possible;
  return [`${usesText('possible', total, uses ?? [], paint)}${uses === undefined ? '' : '; '}… show=callers`];
}

/** `callers (3): lib/multi.c:2024, 2040 in state_performing; 2229 in state_do`. */
function usesText(label: string, total: number | string, uses: Uses, paint: Paint): string {
  const files = filesOf(uses);
  const texts = files.map(([path, inFile]) => `${paint('path', oneLine(path))}:${groupsOf(inFile, paint)}`);
  return files.length > FILES_PER_LINE
    ? `${label} (${total}):\n  ${texts.join('\n  ')}`
    : `${label} (${total}): ${texts.join('; ')}`;
}

/** Next to a body, only the number of uses in tests: they are rarely what is looked for. */
function testsText(tests: Uses, total: number, brief: boolean, paint: Paint): string {
  if (!brief) return usesText('tests', total, tests, paint);
  const files = filesOf(tests);
  if (files.length > MANY_TESTS) return `tests: ${total} uses in ${files.length} files`;
  const texts = files.map(
    ([path, inFile]) =>
      `${filePlace(path, inFile[0]?.line ?? 0, paint)}${inFile.length > 1 ? ` ×${inFile.length}` : ''}`,
  );
  return `tests (${total}): ${texts.join('; ')}`;
}

function groupsOf(uses: Uses, paint: Paint): string {
  const groups: { inside: string | undefined; lines: string[] }[] = [];
  for (const { line, in: inside, kind } of uses) {
    const number = paint('line', String(line));
    const shown = kind === undefined ? number : `${number} ${kind}`;
    const last = groups.at(-1);
    if (last !== undefined && last.inside === inside) {
      if (last.lines.at(-1) !== shown) last.lines.push(shown);
    } else groups.push({ inside, lines: [shown] });
  }
  return groups
    .map(({ inside, lines }) => `${lines.join(', ')}${inside === undefined ? '' : ` in ${oneLine(inside)}`}`)
    .join('; ');
}

function filesOf(uses: Uses): readonly (readonly [path: string, uses: Uses])[] {
  const files = new Map<string, Uses>();
  for (const use of uses) files.set(use.path, [...(files.get(use.path) ?? []), use]);
  return [...files];
}

function oneLineKeepingTabs(text: string): string {
  return text.split('\t').map(oneLine).join('\t').trimEnd();
}
