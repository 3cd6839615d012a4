import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openTeamStore } from '../../src/team/team-store.ts';
import { sharedPostgres } from './postgres.ts';

const page = readFileSync('docs/team-scale.md', 'utf8');

test('tables that the page divides have the column in every unique key, and those that it names lack it', async () => {
  const pg = await sharedPostgres();
  const db = await openTeamStore(await pg.database(), { log: () => {} });
  const rows = await db.own(
    `SELECT c.relname AS name, json_agg((SELECT json_agg(a.attname) FROM pg_attribute a
       WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey)))::text AS keys
     FROM pg_class c LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisunique
     WHERE c.relnamespace = 'pinhole'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY 1`,
  );
  await db.close();
  const keysOf = (table: string): readonly (readonly string[])[] =>
    JSON.parse(String(rows.find(({ name }) => name === table)?.keys ?? '[]')).flatMap(
      (key: string[] | null) => (key === null ? [] : [key]),
    );
  const divided = [...page.matchAll(/create_distributed_table\('pinhole\.(\w+)', '(\w+)'/g)];
  expect(divided.length).toBeGreaterThan(10);
  for (const [, table = '', column = ''] of divided) {
    expect(rows.map(({ name }) => name)).toContain(table);
    for (const key of keysOf(table))
      expect({ table, key }).toEqual({ table, key: expect.arrayContaining([column]) });
  }
  const others = {
    sessions: 'key',
    logs: 'id',
    files: 'session',
    blocks: 'session',
    bodies: 'session',
    grams: 'session',
  };
  for (const [table, column] of Object.entries(others)) {
    expect(page).toContain(`\`${table}\``);
    expect(keysOf(table).some((key) => !key.includes(column))).toBe(true);
  }
});
