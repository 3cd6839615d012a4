import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { uint32At } from '../../contract/at.ts';
import { oneLine } from '../../contract/bytes.ts';
import { fail, inputMessage, PinholeError } from '../../contract/errors.ts';
import { countOf, countText, momentText, sizeText } from '../../contract/format.ts';
import { type CallContext, operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { absolutePath, failMissing } from '../../contract/roots.ts';
import { localMoment } from '../../contract/zone.ts';
import { link, pageLinks } from '../../page/page-links.ts';
import { agentTouchSchema, type TouchServices } from '../browse/agent-touches.ts';
import { countChildren, kindOf } from '../browse/read-folder.ts';
import { isBroken } from '../filter/link-targets.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import { freshnessText } from '../indexes/freshness.ts';
import { scopeSpan, visibleRow } from '../indexes/index-access.ts';
import type { DiskContext, DiskServices } from '../services.ts';
import { capped } from '../sizes.ts';
import { folderAt, pathOf, rowOfPath } from '../tree/tree-nodes.ts';
import { ownerName } from '../tree/user-names.ts';
import { chooseIndex } from './chosen-index.ts';
import { dirs, disk_size, files, kind, size } from './data-fields.ts';
import { GLANCE_BYTES } from './glance.ts';
import { indexedDetail, totalBelow, totalBelowSchema, whyUnreachable } from './indexed-detail.ts';
import { chosen_index_id, node_id, shell } from './input-fields.ts';
import { visibleShell } from './visible.ts';

const detailSchema = z.object({
  path: z.string(),
  kind,
  size,
  disk_size,
  modified_at: z.string(),
  changed_at: z.string().optional().describe('when content or metadata last changed'),
  permissions: z.string().optional(),
  owner: z.string().optional(),
  imported: z.literal(true).optional().describe('in an imported index; the file is not here'),
  gone: z.literal(true).optional().describe('no longer there; the facts are those of the last scan'),
  hard_links: z.int().optional(),
  symlink: z.string().optional().describe('the target of the link'),
  broken: z.literal(true).optional().describe('the target of the link does not exist'),
  counts: z.object({ files, dirs }).optional().describe('entries directly in a folder that is not indexed'),
  digest: z.string().optional(),
  index_id: z.string().optional(),
  node_id: z.string().optional(),
  scanned: z.string().optional(),
  total: totalBelowSchema.optional(),
  errors: z.int().optional().describe('how many entries below it could not be read'),
  history: z
    .array(z.object({ scanned_at: z.string(), disk_size, files }))
    .optional()
    .describe('sizes at earlier scans, latest first'),
  touched_by: z.array(agentTouchSchema).optional().describe('agent sessions that read or changed it'),
});

type NodeDetail = ReadonlyData<typeof detailSchema>;
/** What the index adds to the facts from the disk. */
type IndexFacts = Pick<NodeDetail, 'index_id' | 'node_id' | 'scanned' | 'total' | 'errors' | 'history'>;

const MAX_HISTORY = 8;
const NODE_ID = /^n[0-9a-z]{1,7}$/;

export const inspectInput = z.strictObject({
  path: z.string().min(1).max(4096).optional().describe('the file or folder, if node_id is not given'),
  node_id: node_id.optional(),
  index_id: chosen_index_id,
  shell: shell.optional(),
  digest: z.boolean().optional().describe('compute the SHA-256 of the content'),
});

export const inspect = operation<DiskServices & TouchServices>()({
  name: 'inspect',
  toolset: 'disk',
  unlisted: ['shell', 'index_id'],
  readOnly: true,
  summary:
    'Facts about one file or folder: sizes, times, permissions, owner, link target, totals, history, SHA-256 on request.',
  input: inspectInput,
  glance: GLANCE_BYTES,
  data: detailSchema,
  aliases: { file: 'path', file_path: 'path', session_id: 'shell', node: 'node_id' },
  http: [
    'GET /api/files/inspect',
    'GET /api/indexes/{index_id}/nodes/{node_id}',
    'GET /api/indexes/{index_id}/nodes/{node_id}/detail',
  ],
  command: {
    words: 'disk inspect',
    positional: ['path'],
    examples: ['pinhole disk inspect ./package.json --digest', 'pinhole disk inspect --node-id n4f2'],
  },

  async run({ path, node_id, index_id, shell, digest }, ctx) {
    const id = node_id ?? (await nodeGivenAsPath(path, shell, ctx));
    const node =
      id === undefined ? await nodeOfImported(path, index_id, ctx) : await namedNode(id, index_id, ctx);
    const unreachable = node && whyUnreachable(node.open, node.row);
    const seen =
      unreachable === undefined
        ? await statEntry(
            node ? pathOf(node.open.tree, node.row) : await namedPath(path, shell, ctx),
            ctx,
          ).catch((error: unknown) => ignoreIfIndexed(error, node))
        : undefined;
    if (node !== undefined && seen === undefined) {
      if (digest)
        fail(
          'invalid_parameter',
          `The digest cannot be computed: ${unreachable ?? 'the file is no longer there'}.`,
        );
      const detail: NodeDetail = {
        ...indexedDetail(node.open, node.row, ctx.now()),
        gone: unreachable === undefined ? true : undefined,
      };
      return single(detail, linksOf(detail, ctx));
    }
    const { target, stats } = seen ?? fail('not_found', 'Nothing exists there.');
    const kind = kindOf(stats);
    const indexed = await indexFacts(target, ctx);
    const detail: NodeDetail = {
      path: target,
      kind,
      size: capped(stats.size),
      disk_size: capped((stats.blocks ?? 0) * 512),
      modified_at: momentText(stats.mtimeMs),
      changed_at: momentText(stats.ctimeMs),
      permissions: permissionText(stats.mode),
      owner: ownerName(stats.uid),
      hard_links: kind === 'file' && stats.nlink > 1 ? stats.nlink : undefined,
      symlink: kind === 'symlink' ? await readlink(target) : undefined,
      broken: kind === 'symlink' && (await isBroken(target)) ? true : undefined,
      counts: kind === 'dir' && indexed === undefined ? await countChildren(target) : undefined,
      digest: digest && kind === 'file' ? await sha256(target, ctx) : undefined,
      ...indexed,
      touched_by: kind === 'file' ? unlessEmpty(await ctx.touchedBy(target, ctx.zone)) : undefined,
    };
    return single(detail, linksOf(detail, ctx));
  },

  text(data, { units, zone }) {
    const lines = [
      `${data.node_id === undefined ? '' : `${data.node_id} `}${oneLine(data.path)}${data.symlink === undefined ? '' : ` -> ${oneLine(data.symlink)}${data.broken ? ' (broken)' : ''}`}`,
      `${data.kind}  ${sizeText(data.size, units)} (${sizeText(data.disk_size, units)} on disk)  ${data.imported ? 'imported' : data.gone ? 'no longer there; as scanned' : data.permissions === undefined ? 'as scanned' : `${data.permissions} ${data.owner}`}`,
      `modified ${localMoment(data.modified_at, zone)}${data.changed_at === undefined ? '' : `  changed ${localMoment(data.changed_at, zone)}`}`,
    ];
    if (data.total) {
      const { size, disk_size, files, dirs, depth_limit } = data.total;
      const known = depth_limit === undefined ? '' : ` (folders to depth ${depth_limit})`;
      lines.push(
        `below it ${sizeText(size, units)} (${sizeText(disk_size, units)} on disk) in ${countOf(files, 'file')}, ${countOf(dirs, 'folder')}${known}; scanned ${data.scanned}`,
      );
    } else if (data.counts)
      lines.push(`holds ${countOf(data.counts.files, 'file')}, ${countOf(data.counts.dirs, 'folder')}`);
    if (data.errors) lines.push(`${countText(data.errors)} could not be read`);
    for (const { session_id, last, reads = 0, changes = 0 } of data.touched_by ?? []) {
      lines.push(`session ${session_id}  ${last}  ${countOf(changes, 'change')}, ${countOf(reads, 'read')}`);
    }
    for (const { scanned_at, disk_size } of data.history ?? [])
      lines.push(`  ${localMoment(scanned_at, zone)}  ${sizeText(disk_size, units)}`);
    if (data.hard_links) lines.push(countOf(data.hard_links, 'hard link'));
    if (data.digest) lines.push(data.digest);
    return lines.join('\n');
  },
});

interface Seen {
  readonly target: string;
  readonly stats: Stats;
}

/** The entry at a path as it is now. */
async function statEntry(path: string, ctx: CallContext): Promise<Seen> {
  const target = await entryPath(path, ctx);
  return { target, stats: await lstat(target).catch((error: unknown) => failMissing(target, error)) };
}

/** A node that the index knows is described even after its file was deleted. */
function ignoreIfIndexed(error: unknown, node: object | undefined): undefined {
  if (node === undefined || !(error instanceof PinholeError) || error.code !== 'not_found') throw error;
}

async function namedNode(nodeId: string, indexId: string | undefined, ctx: DiskContext) {
  const open = await chooseIndex(ctx, indexId, undefined);
  return { open, row: visibleRow(open.tree, nodeId, ctx.roots) };
}

/** A path in an imported index is known only there: its files are not on this machine. */
async function nodeOfImported(path: string | undefined, indexId: string | undefined, ctx: DiskContext) {
  if (path === undefined || indexId === undefined) return undefined;
  const open = await chooseIndex(ctx, indexId, undefined);
  if (open.tree.meta.options.imported !== true) return undefined;
  return { open, row: (await scopeSpan(open.tree, path, ctx.roots)).from };
}

/** People and agents often pass a node id as the path. A file with that name takes precedence. */
async function nodeGivenAsPath(
  path: string | undefined,
  shell: string | undefined,
  ctx: DiskContext,
): Promise<string | undefined> {
  if (path === undefined || !NODE_ID.test(path)) return undefined;
  const file = await namedPath(path, shell, ctx)
    .then((absolute) => lstat(absolute))
    .catch(() => undefined);
  return file === undefined ? path : undefined;
}

/** The absolute path that a call names. */
async function namedPath(
  path: string | undefined,
  handle: string | undefined,
  ctx: DiskContext,
): Promise<string> {
  if (path === undefined)
    fail('invalid_parameter', inputMessage`Give ${{ input: 'path' }} or ${{ input: 'node_id' }}.`);
  const shell =
    handle === undefined ? await ctx.shells.ofCaller(ctx.caller.id) : await visibleShell(ctx, handle);
  return absolutePath(path, shell?.cwd ?? ctx.caller.cwd);
}

async function indexFacts(path: string, ctx: DiskContext): Promise<IndexFacts | undefined> {
  const open = await ctx.disk.indexes.covering(path);
  const row = open === undefined ? -1 : rowOfPath(open.tree, path);
  if (open === undefined || row < 0) return undefined;
  const { tree } = open;
  const id = uint32At(tree.id, row);
  const folder = folderAt(tree, row);
  const base = {
    index_id: indexHandle(open.row.id),
    node_id: nodeHandle(id),
    scanned: freshnessText(open.freshAt(row), ctx.now()),
  };
  if (folder < 0) return base;
  const history = (await ctx.disk.reports.history(open, id)).reverse().slice(0, MAX_HISTORY);
  const errors = uint32At(tree.dirErrors, folder);
  return {
    ...base,
    total: totalBelow(tree, folder),
    errors: errors > 0 ? errors : undefined,
    history:
      history.length < 2
        ? undefined
        : history.map((one) => ({
            scanned_at: momentText(one.scanned_at),
            disk_size: one.disk,
            files: one.files,
          })),
  };
}

function linksOf({ path, kind, index_id, node_id, permissions }: NodeDetail, { url }: CallContext) {
  if (index_id === undefined || node_id === undefined) {
    return { link: url(pageLinks.path(path)) };
  }
  // Only a file that could be read can be opened.
  const reachable = permissions !== undefined;
  const node = `/api/indexes/${index_id}/nodes/${node_id}`;
  const more =
    kind === 'dir'
      ? {
          children: url(`/api/indexes/${index_id}/tree?parent=${node_id}`),
          growth: url(`/api/indexes/${index_id}/reports/growth?under=${node_id}`),
        }
      : undefined;
  const content =
    kind === 'file' && reachable
      ? { download: url(`${node}/content`), preview: url(link('/api/files/view', { path })) }
      : undefined;
  return { links: { self: url(pageLinks.node(index_id, node_id)), ...more, ...content } };
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** The entry itself, not what a link points to: a link is judged by its own place, and its target is not opened. */
async function entryPath(absolute: string, ctx: CallContext): Promise<string> {
  // The folder above a root must not be read, and need not be.
  if (ctx.roots.folders.includes(absolute)) return absolute;
  const folder = await ctx.roots.resolve(dirname(absolute));
  const entry = absolute === dirname(absolute) ? absolute : join(folder, basename(absolute));
  const stats = await lstat(entry).catch((error: unknown) => failMissing(absolute, error));
  return stats.isSymbolicLink() ? entry : ctx.roots.resolve(entry);
}

async function sha256(path: string, ctx: CallContext): Promise<string> {
  const handle = await ctx.roots.open(path);
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ signal: ctx.signal })) hash.update(chunk);
  return `sha256:${hash.digest('hex')}`;
}

/** A mode as `rwxr-xr-x`. */
function permissionText(mode: number): string {
  return [...'rwxrwxrwx'].map((letter, i) => ((mode >> (8 - i)) & 1 ? letter : '-')).join('');
}
