import { expect, test } from 'vitest';
import { z } from 'zod';
import { columnsOf, operation, rowsOf, single } from './operation.ts';

interface Listed {
  readonly above: readonly { readonly name: string }[];
  readonly entries?: readonly { readonly id: number; readonly note?: string }[];
  readonly files?: readonly { readonly id: number; readonly path: string }[];
  readonly total: number;
}

const base = {
  name: 'list',
  toolset: undefined,
  readOnly: true,
  summary: '',
  input: z.strictObject({}),
  text: () => '',
} as const;
const data = z.custom<Listed>();
const run = () => single<Listed>({ above: [], entries: [], total: 0 });

test('rows come from the field that the operation declares, whatever other lists there are', () => {
  const list = operation()({ ...base, data, run, rows: 'entries' });
  const above = [{ name: 'x' }];
  expect(rowsOf(list, { above, entries: [{ id: 1 }] })).toEqual([{ id: 1 }]);
  expect(rowsOf(list, { above, entries: [] })).toEqual([]);
  expect(rowsOf(list, { above })).toBeUndefined();
  const forms = operation()({ ...base, data, run, rows: ['entries', 'files'] });
  expect(rowsOf(forms, { above, files: [{ id: 2 }] })).toEqual([{ id: 2 }]);
});

test('columns come from the schema; of several forms, tables use the one without lists of rows', () => {
  const file = { path: z.string(), tags: z.array(z.string()) };
  const groups = z.array(z.object({ size: z.int(), files: z.array(z.object(file)) })).optional();
  const files = z.array(z.object({ size: z.int(), ...file })).optional();
  const data = z.object({ groups, files });
  expect(columnsOf({ data, rows: 'groups' })).toEqual(['size', 'files']);
  expect(columnsOf({ data, rows: ['groups', 'files'] })).toEqual(['size', 'path', 'tags']);
});
