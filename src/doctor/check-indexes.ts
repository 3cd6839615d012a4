import { z } from 'zod';
import { ask, askWhole } from '../contract/ask.ts';
import type { Caller } from '../contract/caller.ts';
import type { Engine } from '../contract/engine.ts';
import { PinholeError } from '../contract/errors.ts';
import { agoText, countOf, countText, sizeText } from '../contract/format.ts';
import { DAY_MS } from '../contract/time.ts';
import { diskIndexes } from '../disk/operations/disk-indexes.ts';
import type { IndexCard } from '../disk/operations/index-card.ts';
import { PROVIDERS } from '../sessions/providers/index.ts';
import { findLogs, logFolders } from '../sessions/providers/log-files.ts';
import type { Finding } from './doctor-finding.ts';

const STALE_MS = 30 * DAY_MS;

/** The part of the answer of `sessions_doctor` that is checked here. */
const sessionsDoctor = {
  name: 'sessions_doctor',
  data: z.object({
    logs: z.number(),
    sessions: z.number(),
    events: z.number(),
    bad_lines: z.number(),
    shrunk: z.array(z.object({ path: z.string(), before: z.number(), now: z.number() })),
    unknown: z.array(z.unknown()),
  }),
};

/** The same of `code_indexes`. */
const codeIndexes = {
  name: 'code_indexes',
  data: z.object({
    indexes: z.array(
      z.object({
        root: z.string(),
        status: z.string(),
        files: z.number().optional(),
        built_at: z.string().optional(),
      }),
    ),
  }),
};

/** Reports what is indexed, through the operations that everybody uses. */
export async function checkIndexes(
  engine: Engine,
  caller: Caller,
  { now, env }: { readonly now: number; readonly env: NodeJS.ProcessEnv },
): Promise<readonly Finding[]> {
  return [
    ...(await unlessFailed('disk', async () =>
      diskFindings((await ask(engine, diskIndexes, {}, caller)).indexes, now),
    )),
    ...(await unlessFailed('code', async () =>
      codeFindings((await ask(engine, codeIndexes, {}, caller)).indexes, now),
    )),
    ...(await unlessFailed('sessions', async () => {
      const { data, meta } = await askWhole(engine, sessionsDoctor, {}, caller);
      return meta.indexing === undefined ? sessionFindings(data) : [readingFinding(data, env)];
    })),
  ];
}

async function unlessFailed(
  subject: string,
  check: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof PinholeError)) throw error;
    const text = `${subject}: ${error.message}`;
    return [{ check: 'indexes', state: 'fail', text, fix: 'see pinhole logs for what happened' }];
  }
}

function diskFindings(indexes: readonly IndexCard[], now: number): readonly Finding[] {
  if (indexes.length === 0)
    return [{ check: 'indexes', state: 'ok', text: 'disk: none yet; make one with pinhole index PATH' }];
  return indexes.map(({ index_id, root, files, scanned_at }): Finding => {
    const name = `disk ${index_id} ${root}: ${countOf(files, 'file')}`;
    if (scanned_at === undefined) return { check: 'indexes', state: 'ok', text: `${name}, scanning` };
    const scanned = Date.parse(scanned_at);
    const text = `${name}, scanned ${agoText(scanned, now)}`;
    return now - scanned > STALE_MS
      ? { check: 'indexes', state: 'warn', text, fix: `pinhole index ${root}` }
      : { check: 'indexes', state: 'ok', text };
  });
}

function codeFindings(indexes: z.infer<typeof codeIndexes.data>['indexes'], now: number): readonly Finding[] {
  if (indexes.length === 0)
    return [
      { check: 'indexes', state: 'ok', text: 'code: none yet; the first search in a folder makes one' },
    ];
  return indexes.map(({ root, status, files, built_at }): Finding => {
    const built = built_at === undefined ? [] : [`built ${agoText(Date.parse(built_at), now)}`];
    const facts = [...(files === undefined ? [] : [countOf(files, 'file')]), status, ...built];
    const text = `code ${root}: ${facts.join(', ')}`;
    return status === 'failed'
      ? { check: 'indexes', state: 'warn', text, fix: `pinhole index ${root} --what code` }
      : { check: 'indexes', state: 'ok', text };
  });
}

/** Numbers of a part of the logs must not look like those of all. */
function readingFinding(
  { logs, sessions, events }: z.infer<typeof sessionsDoctor.data>,
  env: NodeJS.ProcessEnv,
): Finding {
  const found = findLogs(PROVIDERS, logFolders(PROVIDERS, env), () => {}).length;
  const share = `${countText(logs)} of ${countOf(Math.max(found, logs), 'log')}`;
  const text = `sessions: still reading, ${share} so far (${countOf(sessions, 'session')}, ${countOf(events, 'event')})`;
  return { check: 'indexes', state: 'ok', text };
}

function sessionFindings(reply: z.infer<typeof sessionsDoctor.data>): readonly Finding[] {
  const { sessions, events, bad_lines, unknown, shrunk } = reply;
  const text = `sessions: ${countOf(sessions, 'session')}, ${countOf(events, 'event')}, ${countOf(bad_lines, 'bad line')}`;
  return [
    unknown.length === 0
      ? { check: 'indexes', state: 'ok', text }
      : {
          check: 'indexes',
          state: 'warn',
          text: `${text}, ${countOf(unknown.length, 'unknown record type')}`,
          fix: 'list them with pinhole sessions doctor; a newer Pinhole may know them',
        },
    ...shrunk.map(
      ({ path, before, now }): Finding => ({
        check: 'indexes',
        state: 'warn',
        text: `sessions: ${path} became shorter, from ${sizeText(before)} to ${sizeText(now)}; it was read again`,
      }),
    ),
  ];
}
