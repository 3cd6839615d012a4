import { countOf, countText } from '../../contract/format.ts';
import { isObject } from '../../contract/guards.ts';
import { nearestName } from '../../contract/nearest-name.ts';
import { belowBase } from '../filter/compile-filter.ts';
import type { DiskContext } from '../services.ts';
import { childByName, childRows, folderAt, nameOf, pathOf } from '../tree/tree-nodes.ts';
import type { QueryPart } from './query-parts.ts';

/** Tests that only look at the index; the others read files. */
const QUICK = new Set(
  'name path ext kind size disk_size modified depth entries owner linked sparse error'.split(' '),
);

/** Why a filter found nothing: what was looked at, a name in a path that does not exist, or a test that nothing passes. */
export async function whyNothing(
  ctx: DiskContext,
  parts: readonly QueryPart[],
  given: unknown,
): Promise<string> {
  const looked = parts.reduce((sum, { span }) => sum + span.to - span.from + 1, 0);
  const filter = asObject(given);
  const missing = parts.map((part) => missingName(part, filter.path));
  const told = missing.every((text) => text !== undefined) ? missing[0] : undefined;
  const reason = told ?? unknownExtension(parts, filter.ext) ?? (await passedAlone(ctx, parts, filter));
  return `No match in ${countOf(looked, 'entry', 'entries')}.${reason === undefined ? '' : ` ${reason}`}`;
}

function asObject(given: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = typeof given === 'string' ? JSON.parse(given) : given;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The first name of a glob, up to its first wildcard, that does not exist. */
function missingName({ open: { tree }, base }: QueryPart, given: unknown): string | undefined {
  const pattern = isObject(given) ? given.glob : given;
  if (typeof pattern !== 'string') return undefined;
  const below = belowBase({ type: 'glob', pattern, ignoreCase: false }, pathOf(tree, base)).pattern;
  let row = base;
  for (const name of below.split('/')) {
    if (name === '' || /[*?[\]{}\\]/.test(name)) return undefined;
    const folder = folderAt(tree, row);
    const next = folder < 0 ? -1 : childByName(tree, folder, name);
    if (next < 0) {
      const names = folder < 0 ? [] : Array.from(childRows(tree, folder), (child) => nameOf(tree, child));
      const near = nearestName(names, name);
      return `There is no '${name}' in ${pathOf(tree, row)}${near === undefined ? '' : `; the nearest name is '${near}'`}.`;
    }
    row = next;
  }
  return undefined;
}

/** An extension that no file has, and the one that is most like it. */
function unknownExtension(parts: readonly QueryPart[], given: unknown): string | undefined {
  const wanted = (Array.isArray(given) ? given : [given]).flatMap((one) =>
    typeof one === 'string' && one !== '' ? [one.replace(/^\./, '').toLowerCase()] : [],
  );
  // The list of extensions is that of the whole index, of which the caller may see only a part.
  if (!parts.every(({ span }) => span.from === 0)) return undefined;
  const known = new Set(parts.flatMap(({ open }) => open.tree.meta.extensions));
  const [first] = wanted;
  if (first === undefined || wanted.some((one) => known.has(one))) return undefined;
  const near = nearestName(known, first);
  return `No file has the extension '${first}'${near === undefined || near === '' ? '' : `; the nearest is '${near}'`}.`;
}

/** How many pass each test alone, so that the one that nothing passes shows. */
async function passedAlone(
  { disk, signal }: DiskContext,
  parts: readonly QueryPart[],
  filter: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const tests = Object.entries(filter).filter(([name]) => QUICK.has(name));
  if (tests.length < 2) return undefined;
  const counts: string[] = [];
  for (const [name, value] of tests) {
    let count = 0;
    for (const { open, span, base } of parts)
      count += (await disk.filters.find(open, { ...span, base }, { [name]: value }, signal)).rows.length;
    counts.push(`${name} ${countText(count)}`);
  }
  return `Alone: ${counts.join(', ')}.`;
}
