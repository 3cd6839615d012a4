import { basename, join, sep } from 'node:path';
import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { type CallContext, operation, page } from '../../contract/operation.ts';
import { columns, countText, dayText, sizeText } from '../../contract/people.ts';
import { absolutePath } from '../../contract/roots.ts';
import { compareKeys, countChildren, type LiveEntry, readFolder, sortKey } from '../live.ts';
import { type Shell, type Shells, SORTS } from '../shells.ts';

interface Entry {
  readonly name: string;
  readonly kind: LiveEntry['kind'];
  readonly size?: number | undefined;
  readonly counts?: { readonly files: number; readonly dirs: number } | undefined;
  readonly modified_at: string;
}

interface Listing {
  readonly cwd: string;
  readonly breadcrumb: readonly string[];
  readonly shell: string;
  readonly indexed: boolean;
  readonly entries: readonly Entry[];
  readonly rest?: { readonly entries: number; readonly size: number } | undefined;
}

export const cd = operation<{ shells: Shells }>()({
  name: 'cd',
  toolset: 'disk',
  readOnly: true,
  summary:
    'Go to a folder and list its largest entries. The shell handle keeps the place for relative paths.',
  input: z.strictObject({
    path: z.string().min(1).max(4096).default('.'),
    shell: z.string().max(20).optional(),
    sort: z.enum(SORTS).optional(),
  }),
  limit: { default: 20, max: 100 },
  aliases: { dir: 'path', directory: 'path', session_id: 'shell', sort_by: 'sort' },
  http: 'GET /api/cd',
  command: {
    words: 'disk cd',
    positional: ['path'],
    examples: ['pinhole disk cd /var/log', 'pinhole disk cd . --sort modified'],
  },

  async run(input, ctx) {
    const { folder, from } = await target(input.path, input.shell, ctx);
    const unsorted = await readFolder(folder, ctx.signal);
    // Only now: a shell never stands in a place that cannot be read.
    const shell = ctx.after && from ? from : await ctx.shells.move(input.shell, ctx.caller.id, folder);
    const sort = input.sort ?? shell.sort ?? 'size';
    const all = unsorted.sort((a, b) => compareKeys(sortKey(a, sort), sortKey(b, sort)));
    const after = keyAfter(ctx.after);
    const left = after ? all.filter((entry) => compareKeys(sortKey(entry, sort), after) > 0) : all;
    const leftSize = sumSizes(left);
    return page<Entry & { source: LiveEntry }, Listing>({
      rows: entriesOf(folder, left),
      position: ({ source }) => [folder, ...sortKey(source, sort)],
      total: all.length,
      shape: (rows, more) => ({
        cwd: folder,
        breadcrumb: folder.split(sep).filter((part) => part !== ''),
        shell: shell.shell,
        indexed: false,
        entries: rows.map(({ source, ...entry }) => entry),
        rest: more
          ? {
              entries: left.length - rows.length,
              size: leftSize - sumSizes(rows.map(({ source }) => source)),
            }
          : undefined,
      }),
      link: ctx.url(`/disk?path=${encodeURIComponent(folder)}`),
    });
  },

  text(data, { units }) {
    const head = `${oneLine(data.cwd)}  ${data.indexed ? '' : '(not indexed: folders without their totals)  '}shell ${data.shell}`;
    const rows = data.entries.map((entry) => [
      entry.kind === 'dir' ? 'd' : entry.kind === 'symlink' ? 'l' : 'f',
      entry.size === undefined ? '' : sizeText(entry.size, units),
      entry.counts ? `${countText(entry.counts.files)} files` : '',
      oneLine(entry.name) + (entry.kind === 'dir' ? '/' : ''),
      entry.modified_at,
    ]);
    const rest = data.rest
      ? `\n... ${countText(data.rest.entries)} more, files of ${sizeText(data.rest.size, units)}`
      : '';
    return `${head}\n${data.entries.length === 0 ? '(empty)' : columns(rows, [1, 2])}${rest}`;
  },
});

/** The folder a call means, and the shell it starts from. A cursor carries its folder along. */
async function target(
  path: string,
  handle: string | undefined,
  { shells, caller, roots, after }: CallContext & { shells: Shells },
): Promise<{ folder: string; from: Shell | undefined }> {
  const from = handle === undefined ? await shells.ofCaller(caller.id) : await shells.get(handle);
  const wanted = Array.isArray(after) ? String(after[0]) : path;
  return { folder: await roots.resolve(absolutePath(wanted, from?.cwd ?? caller.cwd)), from };
}

/** Counts of a folder's children are read only for the rows that are shown. */
async function* entriesOf(
  folder: string,
  entries: readonly LiveEntry[],
): AsyncGenerator<Entry & { source: LiveEntry }> {
  for (const source of entries) {
    const { name, kind, size, modified } = source;
    const counts = kind === 'dir' ? await countChildren(join(folder, basename(name))) : undefined;
    yield {
      name,
      kind,
      size: kind === 'dir' ? undefined : size,
      counts,
      modified_at: dayText(modified),
      source,
    };
  }
}

function keyAfter(after: CallContext['after']): readonly [number, string] | undefined {
  return Array.isArray(after) ? [Number(after[1]), String(after[2])] : undefined;
}

function sumSizes(entries: readonly LiveEntry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === 'dir' ? 0 : entry.size), 0);
}
