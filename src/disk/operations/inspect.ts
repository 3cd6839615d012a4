import { createHash } from 'node:crypto';
import { lstat, readlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { PinholeError } from '../../contract/errors.ts';
import { type CallContext, operation, single } from '../../contract/operation.ts';
import { sizeText } from '../../contract/people.ts';
import { absolutePath, failMissing } from '../../contract/roots.ts';
import { countChildren, type Kind, kindOf } from '../live.ts';
import { ownerName } from '../owners.ts';
import type { Shells } from '../shells.ts';

interface NodeDetail {
  readonly path: string;
  readonly kind: Kind;
  readonly size: number;
  readonly disk_size: number;
  readonly modified_at: string;
  readonly changed_at: string;
  readonly permissions: string;
  readonly owner: string;
  readonly hard_links?: number | undefined;
  readonly symlink?: string | undefined;
  readonly counts?: { readonly files: number; readonly dirs: number } | undefined;
  readonly digest?: string | undefined;
}

export const inspect = operation<{ shells: Shells }>()({
  name: 'inspect',
  toolset: 'disk',
  readOnly: true,
  summary:
    'Facts on one file or folder: size, on-disk size, times, permissions, owner, link target, SHA-256 on request.',
  input: z.strictObject({
    path: z.string().min(1).max(4096),
    shell: z.string().max(20).optional(),
    digest: z.boolean().optional(),
  }),
  aliases: { file: 'path', file_path: 'path', session_id: 'shell' },
  http: 'GET /api/files/inspect',
  command: {
    words: 'disk inspect',
    positional: ['path'],
    examples: ['pinhole disk inspect ./package.json --digest'],
  },

  async run({ path, shell, digest }, ctx) {
    const current =
      shell === undefined ? await ctx.shells.ofCaller(ctx.caller.id) : await ctx.shells.get(shell);
    const target = await entryPath(absolutePath(path, current?.cwd ?? ctx.caller.cwd), ctx);
    const stats = await lstat(target);
    const kind = kindOf(stats);
    const detail: NodeDetail = {
      path: target,
      kind,
      size: stats.size,
      disk_size: (stats.blocks ?? 0) * 512,
      modified_at: isoTime(stats.mtimeMs),
      changed_at: isoTime(stats.ctimeMs),
      permissions: permissionText(stats.mode),
      owner: ownerName(stats.uid),
      hard_links: kind === 'file' && stats.nlink > 1 ? stats.nlink : undefined,
      symlink: kind === 'symlink' ? await readlink(target) : undefined,
      counts: kind === 'dir' ? await countChildren(target) : undefined,
      digest: digest && kind === 'file' ? await sha256(target, ctx) : undefined,
    };
    return single(detail, { link: ctx.url(`/disk?path=${encodeURIComponent(target)}`) });
  },

  text(data, { units }) {
    const lines = [
      `${oneLine(data.path)}${data.symlink === undefined ? '' : ` -> ${oneLine(data.symlink)}`}`,
      `${data.kind}  ${sizeText(data.size, units)} (${sizeText(data.disk_size, units)} on disk)  ${data.permissions} ${data.owner}`,
      `modified ${data.modified_at}  changed ${data.changed_at}`,
    ];
    if (data.counts) lines.push(`holds ${data.counts.files} files, ${data.counts.dirs} folders`);
    if (data.hard_links) lines.push(`${data.hard_links} hard links`);
    if (data.digest) lines.push(data.digest);
    return lines.join('\n');
  },
});

/** The entry itself, not what a link points to; but a link that leaves the roots is refused. */
async function entryPath(absolute: string, ctx: CallContext): Promise<string> {
  const folder = await ctx.roots.resolve(dirname(absolute));
  const entry = absolute === dirname(absolute) ? absolute : join(folder, basename(absolute));
  const stats = await lstat(entry).catch((error: unknown) => failMissing(absolute, error));
  if (!stats.isSymbolicLink()) return ctx.roots.resolve(entry);
  await ctx.roots.resolve(entry).catch((error: unknown) => {
    // A link to nowhere leads nowhere: it may be shown.
    if (!(error instanceof PinholeError && error.code === 'not_found')) throw error;
  });
  return entry;
}

async function sha256(path: string, ctx: CallContext): Promise<string> {
  const handle = await ctx.roots.open(path);
  const hash = createHash('sha256');
  for await (const chunk of handle.createReadStream({ signal: ctx.signal })) hash.update(chunk);
  return `sha256:${hash.digest('hex')}`;
}

function isoTime(ms: number): string {
  return new Date(Math.trunc(ms)).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A mode as `rwxr-xr-x`. */
function permissionText(mode: number): string {
  return [...'rwxrwxrwx'].map((letter, i) => ((mode >> (8 - i)) & 1 ? letter : '-')).join('');
}
