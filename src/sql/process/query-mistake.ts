import { MISTAKE } from '../query-messages.ts';

/** An error in the query, with the fix in its message. */
export class QueryMistake extends Error {
  override readonly name = MISTAKE;
}
