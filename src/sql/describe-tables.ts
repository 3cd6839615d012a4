import { meaningOf, type SqlTable } from '../store/sql-table.ts';
import { TABLES } from './subjects.ts';

/** Columns that most session tables have: they are described once, and such tables are marked with a star. */
export const COMMON_COLUMNS = ['session', 'turn', 'event', 'at'] as const;

/** One table with its columns, except the rare ones: `folders(path,name,size)`, `edits*(path,added)`. */
function described({ name, columns }: SqlTable): string {
  const common: readonly string[] = COMMON_COLUMNS;
  const starred = common.every((column) => column in columns);
  const listed = Object.entries(columns).filter(
    ([column, { rare }]) => rare !== true && !(starred && common.includes(column)),
  );
  const shown = listed.length === 0 ? '' : `(${listed.map(([column]) => column).join(',')})`;
  return `${name}${starred ? '*' : ''}${shown}`;
}

/** All tables and their usual columns in one block, for the tool description. */
export function describeTables(tables: readonly SqlTable[] = TABLES): string {
  return tables.map(described).join(' ');
}

/** The tables as a chapter of the guide, with one Markdown table for each. */
export function tablesGuide(tables: readonly SqlTable[] = TABLES): string {
  return tables
    .map(({ name, row, columns }) => {
      const lines = Object.entries(columns).map(
        ([name, column]) => `| \`${name}\` | ${column.type} | ${meaningOf(column).replaceAll('|', '\\|')} |`,
      );
      return `### ${name}\nOne row per ${row}.\n\n| column | type | meaning |\n|---|---|---|\n${lines.join('\n')}`;
    })
    .join('\n\n');
}
