import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite/vector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApp } from '../../src/app/open-app.ts';
import { openStaticEmbedder } from '../../src/code/embed/static-embedder.ts';
import { openMeaning, type SessionMeaning } from '../../src/sessions/meaning/session-meaning.ts';
import { openPostgres, type PostgresDatabase } from '../../src/store/postgres.ts';
import { MEANINGS_TABLES, NEAREST_SETTING, teamPassages } from '../../src/team/team-passages.ts';
import { claude, lines, resetClock, text, tick, writeLog } from '../fixtures/sessions/logs.ts';
import { temporaryApp, temporaryFolder } from '../support.ts';
import { sharedPostgres } from './postgres.ts';

/* Sessions by meaning: a file, a PostgreSQL without the extension `vector`, and one with it, find the same. */

const SAID = [
  ['how should we store cached pages on disk?', 'We choose a binary format with checksums for cached pages.'],
  ['people are logged out too early', 'The cookie of the login expires after an hour.'],
  ['draw bars instead of lines', 'The chart draws bars now, in blue and orange.'],
  ['the build is slow', 'The bundler read every file twice; now it reads each once.'],
  ['why does the payment fail at night?', 'The bank closes its gateway for maintenance at two.'],
  ['write the release notes', 'They name the new search and the faster start.'],
] as const;
const QUESTIONS = [
  'where did we decide how the cache is stored',
  'user sign in ends too soon',
  'diagram colours',
  'compilation takes long',
  'money transfer problem',
];

let app: OpenApp;
let lite: PGlite;
let server: PGLiteSocketServer;
const databases: PostgresDatabase[] = [];
const meanings = new Map<string, SessionMeaning>();

/** All but two passages have to be found by their vectors. */
const IN_MEMORY = 2;

beforeAll(async () => {
  resetClock();
  const home = temporaryFolder();
  for (const [at, [prompt, answer]] of SAID.entries()) {
    const id = `5e55a00${at}-0000-4000-8000-000000000001`;
    const log = claude({ id, cwd: '/home/dev/shop' });
    writeLog(
      join(home, `.claude/projects/p/${id}.jsonl`),
      lines([log.prompt(prompt), log.answer(`msg_${at}`, text(answer))]),
    );
    tick(3600);
  }
  app = await temporaryApp({ env: { HOME: home } });
  await app.services.sessions.reading.refresh();
  const socket = join(temporaryFolder(), '.s.PGSQL.5432');
  lite = await PGlite.create({ extensions: { vector } });
  server = new PGLiteSocketServer({ db: lite, path: socket });
  await server.start();
  const pg = await sharedPostgres();
  await open('a file', undefined);
  await open('without the extension', await pg.database());
  await open('with the extension', `postgres://postgres@${encodeURIComponent(join(socket, '..'))}/postgres`);
});
afterAll(async () => {
  for (const meaning of meanings.values()) await meaning.close();
  for (const db of databases) await db.close();
  await server?.stop();
  await lite?.close();
  await app?.close();
});

async function open(name: string, url: string | undefined): Promise<void> {
  const home = temporaryFolder();
  const common = { home, sessions: app.services.sessions, embedder, log: () => {}, most: IN_MEMORY };
  if (url === undefined) {
    meanings.set(name, await openMeaning(common));
    return;
  }
  // PGlite has one connection.
  const db = await openPostgres(url, { log: () => {}, connections: 1, begin: NEAREST_SETTING });
  databases.push(db);
  await db.own('CREATE SCHEMA IF NOT EXISTS pinhole');
  await db.own(MEANINGS_TABLES);
  meanings.set(name, await openMeaning({ ...common, store: teamPassages(db) }));
}

async function embedder() {
  const { name, passages, question } = await openStaticEmbedder();
  return {
    name,
    passages: async (texts: readonly string[]) => passages('', texts),
    question: async (asked: string) => question(asked),
  };
}

test.each(QUESTIONS)(
  'the same sessions, file or PostgreSQL, with vectors or without: %s',
  async (question) => {
    const sessions = new Set((await app.services.sessions.list.page({}, undefined, 100)).map(({ id }) => id));
    const answers = new Map<string, unknown>();
    for (const [name, meaning] of meanings) {
      const { found } = await meaning.search(question, { sessions });
      answers.set(
        name,
        found.map(({ session, score, passages }) => [
          session.slice(0, 8),
          score.toFixed(4),
          passages.map(({ event }) => event),
        ]),
      );
    }
    expect(answers.get('a file')).toHaveLength(SAID.length);
    expect(answers.get('without the extension')).toEqual(answers.get('a file'));
    expect(answers.get('with the extension')).toEqual(answers.get('a file'));
  },
);

test('the extension is used where it is there', async () => {
  const [exact, near] = databases;
  const columns =
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'pinhole.passages'::regclass AND attname = 'embedding'";
  expect(await exact?.own(columns)).toEqual([]);
  expect(await near?.own(columns)).toEqual([{ name: 'embedding' }]);
  const [count] =
    (await near?.own('SELECT COUNT(*) AS rows, COUNT(embedding) AS vectors FROM passages')) ?? [];
  expect(count).toEqual({ rows: 2 * SAID.length, vectors: 2 * SAID.length });
  await near?.own('SET enable_seqscan = off; SET enable_sort = off');
  const plan = await near?.own(
    'EXPLAIN SELECT * FROM passages ORDER BY embedding OPERATOR(public.<#>) (SELECT embedding FROM passages LIMIT 1) LIMIT 3',
  );
  expect(JSON.stringify(plan)).toContain('passages_embedding');
});
