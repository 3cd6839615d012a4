import type { SqlTable } from '../store/sql-table.ts';
import { TABLES } from './subjects.ts';

/** One table with its columns but for the rare ones: `edits(session, turn, path)`. */
function described({ name, columns }: SqlTable): string {
  const listed = Object.entries(columns).filter(([, { rare }]) => rare !== true);
  return listed.length === 0 ? name : `${name}(${listed.map(([column]) => column).join(',')})`;
}

/** All tables and their usual columns in one block, for the description of the tool. */
export function describeTables(tables: readonly SqlTable[] = TABLES): string {
  return tables.map(described).join('\n');
}

/** The tables as a chapter of the guide, one table of Markdown for each. */
export function tablesGuide(tables: readonly SqlTable[] = TABLES): string {
  return tables
    .map(({ name, row, columns }) => {
      const lines = Object.entries(columns).map(
        ([column, { type, meaning }]) => `| \`${column}\` | ${type} | ${meaning.replaceAll('|', '\\|')} |`,
      );
      return `### ${name}\nOne row per ${row}.\n\n| column | type | meaning |\n|---|---|---|\n${lines.join('\n')}`;
    })
    .join('\n\n');
}
