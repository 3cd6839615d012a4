import { createHash } from 'node:crypto';
import { z } from 'zod';
import { VERSION } from '../../contract/version.ts';

/** Agent Trace 0.1: who wrote which lines of a revision (https://agent-trace.dev). The patterns are from its schema. */
const rangeSchema = z.object({ start_line: z.int().min(1), end_line: z.int().min(1) });
const contributorSchema = z.object({
  type: z.enum(['human', 'ai', 'mixed', 'unknown']),
  model_id: z.string().max(250).optional(),
});
const conversationSchema = z.object({
  url: z.string().optional(),
  contributor: contributorSchema.optional(),
  ranges: z.array(rangeSchema),
});

export const traceRecordSchema = z.object({
  version: z.string(),
  id: z.string(),
  timestamp: z.string(),
  vcs: z.object({ type: z.enum(['git', 'jj', 'hg', 'svn']), revision: z.string() }).optional(),
  tool: z.object({ name: z.string(), version: z.string().optional() }).optional(),
  files: z.array(z.object({ path: z.string(), conversations: z.array(conversationSchema) })),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

export type TraceRecord = z.infer<typeof traceRecordSchema>;

/** The lines of a revision that a session wrote. */
export interface TracedSession {
  readonly hash: string;
  readonly session: string;
  readonly model: string | undefined;
  readonly certainty: string;
  readonly lines: ReadonlyMap<string, readonly number[]>;
}

/** The schema requires two numbers. */
const SPEC_VERSION = '0.1';
const VENDORS: readonly (readonly [begin: RegExp, vendor: string])[] = [
  [/^claude-/, 'anthropic'],
  [/^(?:gpt-|o\d|codex)/, 'openai'],
  [/^gemini-/, 'google'],
  [/^grok-/, 'xai'],
];

/** An Agent Trace record for a commit. */
export function traceOf({ hash, session, model, certainty, lines }: TracedSession, now: number): TraceRecord {
  const url = `pinhole:session:${encodeURIComponent(session)}`;
  const model_id = model === undefined ? undefined : modelId(model);
  return {
    version: SPEC_VERSION,
    id: uuidOf(`${hash} ${session}`),
    timestamp: new Date(now).toISOString(),
    vcs: { type: 'git', revision: hash },
    tool: { name: 'pinhole', version: VERSION },
    files: [...lines].map(([path, numbers]) => ({
      path,
      conversations: [{ url, contributor: { type: 'ai', model_id }, ranges: rangesOf(numbers) }],
    })),
    metadata: { session_id: session, certainty },
  };
}

/** Sorted numbers as ranges: 1, 2, 3, 7 become 1 to 3 and 7 to 7. */
export function rangesOf(numbers: readonly number[]): { start_line: number; end_line: number }[] {
  const ranges: { start_line: number; end_line: number }[] = [];
  for (const line of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last.end_line === line - 1) last.end_line = line;
    else ranges.push({ start_line: line, end_line: line });
  }
  return ranges;
}

function modelId(model: string): string {
  if (model.includes('/')) return model;
  const vendor = VENDORS.find(([begin]) => begin.test(model))?.[1];
  return vendor === undefined ? model : `${vendor}/${model}`;
}

/** The same text always gets the same id, so that a record written twice can be recognised. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
