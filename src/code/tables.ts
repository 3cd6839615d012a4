import type { SqlColumnType, SqlSubject, SqlTable } from '../store/sql-table.ts';
import {
  DEFINITION_FLAG,
  FILE_FLAG,
  FILE_SHIFT,
  REFERENCE_KINDS,
  SYMBOL_KINDS,
} from './symbols/symbol-schema.ts';

/* The tables about source code. Each tree has its own database: see src/code/symbols/symbol-schema.ts. */

const PATH = "t.root || '/' || f.path";

const symbols: SqlTable = {
  name: 'symbols',
  row: 'definition',
  columns: {
    repo: { ...column('text', 'folder of the source tree'), rare: true },
    path: column('text', 'absolute path of the file'),
    line: column('integer', 'first line, from 1'),
    end_line: column('integer', 'last line'),
    name: column('text', 'name alone'),
    kind: { type: 'text', values: SYMBOL_KINDS, meaning: '' },
    parent: column('text', 'qualified name of what is around it'),
    signature: column('text', 'its head in one line'),
    is_test: column('integer', '1 for test code'),
    is_exported: { ...column('integer', '1 if other files can use it'), rare: true },
  },
  select: `SELECT t.root, ${PATH}, d.first, d.last, n.name, ${kindText('d.kind', SYMBOL_KINDS)}, s.name, d.signature,
    (d.flags & ${DEFINITION_FLAG.test}) <> 0, (d.flags & ${DEFINITION_FLAG.exported}) <> 0
    FROM {db}.definitions d JOIN {db}.files f ON f.id = d.id / ${FILE_SHIFT} JOIN {db}.names n ON n.id = d.name
    LEFT JOIN {db}.names s ON s.id = d.scope CROSS JOIN {db}.tree t`,
};

const refs: SqlTable = {
  name: 'refs',
  row: 'use of a name',
  columns: {
    repo: { ...column('text', 'folder of the source tree'), rare: true },
    path: column('text', 'absolute path of the file'),
    line: column('integer', 'from 1'),
    name: column('text', 'the name that is used'),
    kind: { type: 'text', values: REFERENCE_KINDS, meaning: '' },
    inside: column('text', 'qualified name of the definition around it'),
    is_test: column('integer', '1 for test code'),
  },
  select: `SELECT t.root, ${PATH}, r.line, n.name, ${kindText('r.kind', REFERENCE_KINDS)},
    CASE WHEN s.name IS NULL THEN i.name ELSE s.name || '.' || i.name END,
    (f.flags & ${FILE_FLAG.test}) <> 0 OR (coalesce(d.flags, 0) & ${DEFINITION_FLAG.test}) <> 0
    FROM {db}.refs r JOIN {db}.names n ON n.id = r.name JOIN {db}.files f ON f.id = r.file
    LEFT JOIN {db}.definitions d ON r.inside > 0 AND d.id = r.file * ${FILE_SHIFT} + r.inside - 1
    LEFT JOIN {db}.names i ON i.id = d.name LEFT JOIN {db}.names s ON s.id = d.scope CROSS JOIN {db}.tree t`,
};

const sources: SqlTable = {
  name: 'sources',
  row: 'source file',
  columns: {
    repo: { ...column('text', 'folder of the source tree'), rare: true },
    path: column('text', 'absolute path'),
    language: column('text', 'language, by the name of the file'),
    lines: column('integer', 'number of lines'),
    bytes: { ...column('integer', 'size'), rare: true },
    modified: { ...column('time', 'last change'), rare: true },
    is_test: { ...column('integer', '1 for test code'), rare: true },
    is_generated: { ...column('integer', '1 for generated code'), rare: true },
  },
  select: `SELECT t.root, ${PATH}, f.language, f.lines, f.size, CAST(f.mtime AS INTEGER),
    (f.flags & ${FILE_FLAG.test}) <> 0, (f.flags & ${FILE_FLAG.generated}) <> 0
    FROM {db}.files f CROSS JOIN {db}.tree t WHERE (f.flags & ${FILE_FLAG.text}) <> 0`,
};

/** The tables that the code subject adds to `sql`. */
export const CODE_TABLES: SqlSubject = { tables: [symbols, refs, sources] };

function column(type: SqlColumnType, meaning: string) {
  return { type, meaning } as const;
}

/** Kinds are stored as their index in a list. */
function kindText(value: string, kinds: readonly string[]): string {
  return `CASE ${value} ${kinds.map((kind, at) => `WHEN ${at} THEN '${kind}'`).join(' ')} END`;
}
