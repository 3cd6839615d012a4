import { expect, test } from 'vitest';
import { z } from 'zod';
import { operation, rowsOf, single } from './operation.ts';

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
const run = () => single<Listed>({ above: [], entries: [], total: 0 });

test('rows come from the field that the operation declares, whatever other lists there are', () => {
  const list = operation()({ ...base, run, rows: 'entries', columns: ['id', 'note'] });
  const above = [{ name: 'x' }];
  expect(rowsOf(list, { above, entries: [{ id: 1 }] })).toEqual([{ id: 1 }]);
  expect(rowsOf(list, { above, entries: [] })).toEqual([]);
  expect(rowsOf(list, { above })).toBeUndefined();
  const forms = operation()({ ...base, run, rows: ['entries', 'files'], columns: ['id', 'path'] });
  expect(rowsOf(forms, { above, files: [{ id: 2 }] })).toEqual([{ id: 2 }]);
});

test('the compiler refuses rows and columns that do not fit the data', () => {
  const refused = [
    // @ts-expect-error total is not a list
    operation()({ ...base, run, rows: 'total', columns: ['id'] }),
    // @ts-expect-error there is no such field
    operation()({ ...base, run, rows: 'nodes', columns: ['id'] }),
    // @ts-expect-error no row has a path
    operation()({ ...base, run, rows: 'entries', columns: ['id', 'note', 'path'] }),
    // @ts-expect-error a row may have a note
    operation()({ ...base, run, rows: 'entries', columns: ['id'] }),
    // @ts-expect-error rows without columns
    operation()({ ...base, run, rows: 'entries' }),
  ];
  expect(refused).toHaveLength(5);
});
