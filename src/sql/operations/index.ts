import { sql } from './sql.ts';

export const SQL_OPERATIONS = [sql] as const;
