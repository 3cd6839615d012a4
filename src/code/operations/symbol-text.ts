import { oneLine } from '../../contract/bytes.ts';
import type { TextStyle } from '../../contract/operation.ts';
import { isCommonMember } from '../symbols/resolve/common-members.ts';
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
export function symbolText({ symbols, ...data }: SymbolData, style?: Pick<TextStyle, 'terminal'>): string {
  const all = symbols ?? [data];
  // A terminal can open only whole paths.
  if (style?.terminal !== undefined) return all.map(oneText).join('\n\n');
  const { folder, value } = withoutFolder(all);
  const text = value.map(oneText).join('\n\n');
  return folder === '' ? text : `paths in ${oneLine(folder)}\n${text}`;
}

function oneText(data: OneSymbol): string {
  const { symbol, body = [], others = [], implementations, callees, outside, totals = {} } = data;
  const { unknown, unread, did_you_mean = [] } = data;
  const lines: string[] = [];
  if (unknown !== undefined) {
    const meant = did_you_mean.length > 0 ? ` Did you mean ${did_you_mean.map(oneLine).join(', ')}?` : '';
    const where = unread === true ? 'No file that was read defines' : 'Nothing here defines';
    lines.push(`${where} ${oneLine(unknown)}.${meant}`);
  }
  for (const { path, line, in: inside, calls } of data.calls ?? [])
    lines.push(`${oneLine(path)}:${line} in ${oneLine(inside)} calls ${placeText(calls, path)}`);
  if (data.calls !== undefined) lines.push('A shortest chain of certain calls; there may be others.');
  if (data.no_path !== undefined) lines.push(oneLine(data.no_path));
  if (symbol !== undefined) lines.push(placeText(symbol));
  if (symbol?.signature !== undefined) lines.push(oneLine(symbol.signature));
  let last: number | undefined;
  for (const { line, text } of body) {
    if (last !== undefined && line > last + 1) lines.push(`… lines ${last + 1}-${line - 1} left out`);
    lines.push(`${line}  ${oneLineKeepingTabs(text)}`);
    last = line;
  }
  const shown = body.at(-1)?.line;
  if (symbol !== undefined && shown !== undefined && shown < symbol.line_end) lines.push('…');
  for (const other of others) lines.push(`also: ${placeText(other)}`);
  const unnamed = data.refs || data.callers || callees ? (totals.others ?? 0) - others.length : 0;
  if (others.length > 0 && unnamed > 0) lines.push(`also: ${unnamed} more (show=body)`);
  if (implementations !== undefined) {
    const places = implementations.map(
      ({ name, path, line_start }) => `${oneLine(name)} ${oneLine(path)}:${line_start}`,
    );
    lines.push(`implementations (${totals.implementations ?? places.length}): ${places.join('; ')}`);
  }
  for (const part of ['callers', 'refs'] as const) {
    const uses = data[part];
    if (uses !== undefined) lines.push(usesText(part, usesCount(totals, part, uses), uses));
    else if (totals[part] === 0) lines.push(`${part}: ${noneText(totals)}`);
  }
  lines.push(...possibleText(data.possible, totals));
  for (const { name, callers } of data.callers_of ?? [])
    lines.push(
      callers.length === 0
        ? `callers of ${oneLine(name)}: none certain`
        : usesText(`callers of ${oneLine(name)}`, callers.length, callers),
    );
  if (data.tests !== undefined)
    lines.push(
      testsText(data.tests, totals.tests ?? data.tests.length, symbol !== undefined && body.length > 0),
    );
  if (callees !== undefined) {
    const named = callees.map((callee) => calleeText(callee, symbol?.path));
    const known = totals.callees ?? callees.length;
    const { called = known } = totals;
    lines.push(`callees (${called > known ? `${known} of ${called}` : known}): ${named.join('; ')}`);
  }
  if (data.possible_callees !== undefined)
    lines.push(
      `possible callees: ${data.possible_callees.map((callee) => calleeText(callee, symbol?.path)).join('; ')}`,
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
): string {
  const file = path === from ? '' : oneLine(path ?? '');
  return `${oneLine(name)} ${file}:${line ?? 0} at ${lines.join(', ')}`;
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
function placeText({ name, kind, path, line_start, line_end }: Place, from?: string): string {
  const range = line_start === line_end ? line_start : `${line_start}-${line_end}`;
  return `${oneLine(name)}  ${kind}  ${path === from ? '' : oneLine(path)}:${range}`;
}

function usesCount(totals: Totals, part: 'callers' | 'refs', uses: Uses): string {
  const { [part]: total = uses.length, elsewhere } = totals;
  return elsewhere === undefined ? String(total) : `${total}; ${elsewhere} outside this path`;
}

/** `possible (105; 88 in tests): lib/a.c:3 in run; …; all: show=callers`. */
function possibleText(uses: Uses | undefined, totals: Totals): string[] {
  const { possible = uses?.length ?? 0, possible_tests } = totals;
  if (possible_tests === undefined) return uses === undefined ? [] : [usesText('possible', possible, uses)];
  const total = possible_tests > 0 ? `${possible}; ${possible_tests} in tests` : possible;
  return [`${usesText('possible', total, uses ?? [])}${uses === undefined ? '' : '; '}… show=callers`];
}

/** `callers (3): lib/multi.c:2024, 2040 in state_performing; 2229 in state_do`. */
function usesText(label: string, total: number | string, uses: Uses): string {
  const files = filesOf(uses);
  const texts = files.map(([path, inFile]) => `${oneLine(path)}:${groupsOf(inFile)}`);
  return files.length > FILES_PER_LINE
    ? `${label} (${total}):\n  ${texts.join('\n  ')}`
    : `${label} (${total}): ${texts.join('; ')}`;
}

/** Next to a body, only the number of uses in tests: they are rarely what is looked for. */
function testsText(tests: Uses, total: number, brief: boolean): string {
  if (!brief) return usesText('tests', total, tests);
  const files = filesOf(tests);
  if (files.length > MANY_TESTS) return `tests: ${total} uses in ${files.length} files`;
  const texts = files.map(
    ([path, inFile]) =>
      `${oneLine(path)}:${inFile[0]?.line ?? 0}${inFile.length > 1 ? ` ×${inFile.length}` : ''}`,
  );
  return `tests (${total}): ${texts.join('; ')}`;
}

function groupsOf(uses: Uses): string {
  const groups: { inside: string | undefined; lines: string[] }[] = [];
  for (const { line, in: inside, kind } of uses) {
    const shown = kind === undefined ? String(line) : `${line} ${kind}`;
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
