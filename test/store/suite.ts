import { describe, expect, test } from 'vitest';
import type { Database, Migration } from '../../src/store/database.ts';

const SCHEMA: readonly Migration[] = [
  {
    id: 1,
    name: 'first',
    sql: 'CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER)',
  },
];
const GROWN: readonly Migration[] = [
  ...SCHEMA,
  { id: 2, name: 'second', sql: 'ALTER TABLE things ADD COLUMN note TEXT' },
];

/** What every database behind Pinhole must do; run once for each engine. */
export function databaseContract(
  engine: string,
  open: (name: string, schema: readonly Migration[]) => Promise<Database>,
): void {
  describe(`database contract: ${engine}`, () => {
    test('a whole number that is too large is read as the largest exact one', async () => {
      const db = await open('large', SCHEMA);
      await db.run('INSERT INTO things (id, name, size) VALUES (?, ?, ?)', 1, 'large', 2n ** 62n);
      await db.run('INSERT INTO things (id, name, size) VALUES (?, ?, ?)', 2, 'least', -(2n ** 62n));
      await db.run('INSERT INTO things (id, name, size) VALUES (?, ?, ?)', 3, 'small', 7);
      const large = { id: 1, name: 'large', size: Number.MAX_SAFE_INTEGER };
      expect(await db.get('SELECT * FROM things WHERE id = 1')).toEqual(large);
      expect(await db.all('SELECT * FROM things ORDER BY id')).toEqual([
        large,
        { id: 2, name: 'least', size: Number.MIN_SAFE_INTEGER },
        { id: 3, name: 'small', size: 7 },
      ]);
      expect(await db.get('SELECT size FROM things WHERE id = 3')).toEqual({ size: 7 });
      await db.close();
    });

    test('rows come back as they were put in', async () => {
      const db = await open('rows', SCHEMA);
      await db.run('INSERT INTO things (id, name, size) VALUES (?, ?, ?)', 1, 'ü "quoted"', 2 ** 40);
      await db.run('INSERT INTO things (id, name, size) VALUES (?, ?, ?)', 2, 'empty', null);
      expect(await db.get('SELECT * FROM things WHERE id = ?', 1)).toEqual({
        id: 1,
        name: 'ü "quoted"',
        size: 2 ** 40,
      });
      expect(await db.get('SELECT size FROM things WHERE id = ?', 2)).toEqual({ size: null });
      expect(await db.get('SELECT * FROM things WHERE id = ?', 3)).toBeUndefined();
      expect(await db.all('SELECT name FROM things ORDER BY id DESC')).toEqual([
        { name: 'empty' },
        { name: 'ü "quoted"' },
      ]);
      expect((await db.run('UPDATE things SET size = 1')).changes).toBe(2);
      await db.close();
    });

    test('a batch is all or nothing', async () => {
      const db = await open('batch', SCHEMA);
      const insert = 'INSERT INTO things (id, name) VALUES (?, ?)';
      expect(
        await db.batch(insert, [
          [1, 'a'],
          [2, 'b'],
        ]),
      ).toBe(2);
      await expect(
        db.batch(insert, [
          [3, 'c'],
          [4, 'a'],
        ]),
      ).rejects.toThrow();
      expect(await db.all('SELECT id FROM things ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
      await db.close();
    });

    test('a transaction that throws leaves nothing, and others wait for it', async () => {
      const db = await open('transactions', SCHEMA);
      let release: () => void = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const failing = db.transaction(async (tx) => {
        await tx.run('INSERT INTO things (id, name) VALUES (1, ?)', 'gone');
        await held;
        throw new Error('no');
      });
      const count = db.get('SELECT COUNT(*) AS n FROM things');
      release();
      await expect(failing).rejects.toThrow('no');
      expect(Number((await count)?.n)).toBe(0);
      await db.transaction((tx) => tx.run('INSERT INTO things (id, name) VALUES (1, ?)', 'stays'));
      expect(await db.get('SELECT name FROM things')).toEqual({ name: 'stays' });
      await db.close();
    });

    test('an older schema is brought up to date, a newer one is refused', async () => {
      const old = await open('migrate', SCHEMA);
      await old.run('INSERT INTO things (id, name) VALUES (1, ?)', 'kept');
      await old.close();
      const grown = await open('migrate', GROWN);
      expect(await grown.get('SELECT name, note FROM things')).toEqual({ name: 'kept', note: null });
      await grown.close();
      await expect(open('migrate', SCHEMA)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('newer Pinhole'),
      });
    });

    test('a step that fails leaves the old schema', async () => {
      const db = await open('broken', SCHEMA);
      await db.close();
      await expect(
        open('broken', [...SCHEMA, { id: 2, name: 'bad', sql: 'CREATE TABLE half (id INTEGER); NONSENSE;' }]),
      ).rejects.toThrow();
      const again = await open('broken', SCHEMA);
      await expect(again.all('SELECT * FROM half')).rejects.toThrow();
      await again.close();
    });
  });
}
