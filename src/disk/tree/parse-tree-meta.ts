import { ERROR_KINDS, type ErrorKind } from '../scan/node-kinds.ts';
import type { ScanOptions, TreeMeta } from './tree-columns.ts';

/* Checked by hand: a schema library would be most of the code that a scan has to load at its start. */

type Fields = Readonly<Record<string, unknown>>;

/** The facts in a snapshot, or undefined when they have another shape. */
export function parseMeta(text: string): TreeMeta | undefined {
  try {
    return toMeta(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function toMeta(value: unknown): TreeMeta {
  const meta = fields(value);
  return {
    root: string(meta.root),
    options: toOptions(fields(meta.options)),
    generation: count(meta.generation),
    scannedAt: number(meta.scannedAt),
    verifiedAt: number(meta.verifiedAt),
    tookMs: number(meta.tookMs),
    nextId: count(meta.nextId),
    nodes: count(meta.nodes),
    dirs: count(meta.dirs),
    links: count(meta.links),
    nameBytes: count(meta.nameBytes),
    extensions: list(meta.extensions, string),
    owners: list(meta.owners, number),
    big: list(meta.big, (pair) => {
      const [row, blocks] = list(pair, number);
      return [count(row), number(blocks)] as const;
    }),
    errors: toErrors(fields(meta.errors)),
    errorSamples: list(meta.errorSamples, (sample) => {
      const { path, kind } = fields(sample);
      return { path: string(path), kind: string(kind) };
    }),
  };
}

function toOptions(options: Fields): ScanOptions {
  const { depthLimit, imported } = options;
  return {
    followSymlinks: boolean(options.followSymlinks),
    oneFileSystem: boolean(options.oneFileSystem),
    depthLimit: depthLimit === undefined ? undefined : count(depthLimit),
    exclude: list(options.exclude, string),
    ...(imported === undefined ? {} : { imported: boolean(imported) }),
  };
}

function toErrors(errors: Fields): TreeMeta['errors'] {
  const counts: Partial<Record<ErrorKind, number>> = {};
  for (const kind of ERROR_KINDS) if (errors[kind] !== undefined) counts[kind] = count(errors[kind]);
  return counts;
}

function fields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('not an object');
  return { ...value };
}

function list<Item>(value: unknown, item: (value: unknown) => Item): Item[] {
  if (!Array.isArray(value)) throw new TypeError('not a list');
  return value.map((each: unknown) => item(each));
}

function string(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('not a string');
  return value;
}

function number(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('not a number');
  return value;
}

function count(value: unknown): number {
  const whole = number(value);
  if (!Number.isSafeInteger(whole) || whole < 0) throw new TypeError('not a count');
  return whole;
}

function boolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError('not a boolean');
  return value;
}
