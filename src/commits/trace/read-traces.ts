import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readWhole } from '../../contract/open-file.ts';
import { type TraceRecord, traceRecordSchema } from './trace-record.ts';

/** Where the reference implementation of Agent Trace keeps its records, one per line. */
const FILE = '.agent-trace/traces.jsonl';
const MAX_BYTES = 32 << 20;

/** The records of a repository by revision; empty if there are none. */
export function readTraces(root: string) {
  const byRevision = new Map<string, TraceRecord[]>();
  for (const record of recordsIn(root)) {
    const revision = record.vcs?.type === 'git' ? record.vcs.revision : undefined;
    if (revision !== undefined) byRevision.set(revision, [...(byRevision.get(revision) ?? []), record]);
  }
  return {
    /** What is recorded about a line of a file, as it was in the commit. */
    ofLine(hash: string, path: string, line: number): readonly string[] {
      return (byRevision.get(hash) ?? []).flatMap((record) =>
        record.files
          .filter((file) => file.path === path)
          .flatMap(({ conversations }) => conversations)
          .filter(({ ranges }) => ranges.some((one) => one.start_line <= line && line <= one.end_line))
          .map(({ contributor }) => reasonOf(record, contributor?.type, contributor?.model_id)),
      );
    },
  };
}

function reasonOf({ tool, metadata }: TraceRecord, type = 'unknown', model?: string): string {
  const session = metadata?.session_id ?? metadata?.conversation_id;
  const who = [type, model, tool?.name && `by ${tool.name}`].filter(Boolean).join(' ');
  return `Agent Trace has this line as ${who}${typeof session === 'string' ? `, session ${session}` : ''}`;
}

/** Skips lines that are not records. */
function recordsIn(root: string): readonly TraceRecord[] {
  const path = join(root, FILE);
  let text: string;
  try {
    if (statSync(path).size > MAX_BYTES) return [];
    text = readWhole(path, { below: root }, MAX_BYTES).toString('utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      const read = traceRecordSchema.safeParse(JSON.parse(line));
      return read.success ? [read.data] : [];
    } catch {
      return [];
    }
  });
}
