import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROVIDERS } from '../../src/sessions/providers/index.ts';
import { findLogs, type LogFolder } from '../../src/sessions/providers/log-files.ts';
import { openTables } from '../fixtures/sessions/ask-tables.ts';
import { openDesk } from '../fixtures/sessions/harness.ts';

const corpus = process.env.PINHOLE_CORPUS;
if (corpus === undefined) throw new Error('PINHOLE_CORPUS must name the folder with the test material');
const root = join(corpus, 'data/sessions/claude_code');
/** Logs that the client wrote; in the samples of other projects, different sessions share made-up ids. */
const folders: readonly LogFolder[] = readdirSync(root)
  .filter((name) => name.startsWith('generated-') || name === 'entireio-cli')
  .map((name) => ({ provider: 'claude_code', path: join(root, name) }));

interface ClaudeLine {
  readonly type?: string;
  readonly uuid?: string;
  readonly requestId?: string;
  readonly isApiErrorMessage?: boolean;
  readonly message?: {
    readonly id?: string;
    readonly model?: string;
    readonly content?: string | readonly { readonly type: string; readonly id?: string }[];
    readonly usage?: { readonly output_tokens?: number };
  };
}

/** A second reader on purpose, with none of the code under test. */
function* linesOf(paths: readonly string[]): Generator<readonly [place: string, record: ClaudeLine]> {
  for (const path of paths) {
    for (const [number, line] of readFileSync(path, 'utf8').split('\n').entries()) {
      try {
        yield [`${path}:${number}`, JSON.parse(line)];
      } catch {
        // Not a record: the logs hold such lines too.
      }
    }
  }
}

test('the tables have every call and token of the logs once', async () => {
  const desk = await openDesk({ folders });
  const calls = new Set<string>();
  const output = new Map<string, number>();
  const paths = findLogs(PROVIDERS, folders).map(({ path }) => path);
  for (const [place, record] of linesOf(paths)) {
    if (record?.type !== 'assistant' || record.isApiErrorMessage === true) continue;
    const { id, content, usage, model } = record.message ?? {};
    if (model === '<synthetic>') continue;
    for (const block of Array.isArray(content) ? content : [])
      if (/tool_use$/.test(block.type)) calls.add(`${id} ${block.id ?? record.uuid ?? place}`);
    const key = id ?? record.requestId ?? record.uuid ?? place;
    if (usage) output.set(key, Math.max(output.get(key) ?? 0, usage.output_tokens ?? 0));
  }
  const { file } = await desk.sessions.database(new AbortController().signal);
  const { ask, close } = openTables(file ?? '');
  expect(ask('SELECT COUNT(*) AS n FROM calls')).toEqual([{ n: calls.size }]);
  const logged = [...output.values()].reduce((sum, tokens) => sum + tokens, 0);
  const [counted] = ask('SELECT SUM(output) AS n FROM usage');
  // A client may have counted more than it logged.
  expect(Number(counted?.n)).toBeGreaterThanOrEqual(logged);
  expect(Number(counted?.n)).toBeLessThan(1.02 * logged);
  expect(ask('SELECT COUNT(*) AS n FROM messages WHERE text IS NULL')).toEqual([{ n: 0 }]);
  close();
  await desk.close();
});
