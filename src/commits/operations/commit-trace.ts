import { z } from 'zod';
import { type CallContext, operation, page, type ReadonlyData } from '../../contract/operation.ts';
import type { LinkedCommit } from '../commit-store.ts';
import { addedLines } from '../git/added-lines.ts';
import { lineHash } from '../line-hashes.ts';
import type { CommitServices } from '../services.ts';
import { type TraceRecord, traceOf, traceRecordSchema } from '../trace/trace-record.ts';
import { commitsOf } from './commit-sessions.ts';
import { repositoryAround, upToDate } from './repository.ts';
import { visibleSession } from './visible-session.ts';

const tracesSchema = z.object({ records: z.array(traceRecordSchema) });

export const commitTrace = operation<CommitServices>()({
  name: 'commit_trace',
  toolset: undefined,
  readOnly: true,
  summary:
    'Records of Agent Trace (agent-trace.dev) for a commit or a range: which of its lines a session wrote. One JSON object in each line; commits without a certain or likely session have none.',
  input: z.strictObject({
    of: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('a commit or a range A..B (default: the newest commits)'),
    path: z.string().min(1).max(4096).optional().describe('folder of the repository'),
  }),
  data: tracesSchema,
  limit: { default: 50, max: 500 },
  rows: 'records',
  aliases: { commit: 'of', range: 'of', root: 'path' },
  http: 'GET /api/commits/trace',
  command: {
    words: 'sessions trace',
    positional: ['of'],
    examples: [
      'pinhole sessions trace HEAD',
      'pinhole sessions trace main..my-branch >> .agent-trace/traces.jsonl',
    ],
  },

  async run({ of, path }, ctx) {
    const { root } = await repositoryAround(path ?? '.', true, ctx);
    const repository = await upToDate(root, ctx);
    const { found } = await commitsOf(of, repository, ctx);
    return page<TraceRecord, ReadonlyData<typeof tracesSchema>>({
      rows: records(found, root, ctx),
      position: ({ id }) => id,
      keep: {},
      shape: (shown) => ({ records: [...shown] }),
    });
  },

  text: ({ records: shown }) => shown.map((record) => JSON.stringify(record)).join('\n'),
});

async function* records(
  found: readonly LinkedCommit[],
  root: string,
  ctx: CallContext & CommitServices,
): AsyncGenerator<TraceRecord> {
  for (const { hash, link } of found) {
    if (link === undefined || link.certainty === 'uncertain') continue;
    const session = await visibleSession(link.session, ctx);
    if (session === undefined) continue;
    const lines = new Map<string, number[]>();
    const written = new Map<string, ReadonlySet<number>>();
    for (const { path, line, text } of await addedLines(root, hash, ctx.signal)) {
      const own = written.get(path) ?? (await linesOf(link.session, path, ctx));
      written.set(path, own);
      const known = lineHash(text);
      if (known !== undefined && own.has(known)) lines.set(path, [...(lines.get(path) ?? []), line]);
    }
    const { certainty } = link;
    if (lines.size > 0)
      yield traceOf({ hash, session: session.id, model: session.model, certainty, lines }, ctx.now());
  }
}

/** The lines that a session and its subagents wrote in a file. */
async function linesOf(
  session: string,
  path: string,
  { commits }: CommitServices,
): Promise<ReadonlySet<number>> {
  const edits = await commits.editsOfFile(path);
  return new Set(edits.filter(({ main }) => main === session).flatMap(({ added }) => [...added]));
}
