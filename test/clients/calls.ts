import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One call that every client is made to do; they run in order. */
export interface ScriptedCall {
  /** Its name in the matrix. */
  readonly title: string;
  readonly tool: string;
  /** The arguments, given the client's working folder and the answers so far. */
  readonly input: (folder: string, answers: readonly string[]) => Readonly<Record<string, unknown>>;
  /** What the answer must contain. */
  readonly says: string;
  /** Whether it is an error. */
  readonly fails?: true;
}

const ENTRIES = 120;

/** The cursor that the last answer ends with. */
const cursorOf = (answers: readonly string[]) => /\nmore: cursor=(\S+)/.exec(answers.at(-1) ?? '')?.[1];

/** The calls that real clients are tested with, to tools that all of them list. To test more, add an entry. */
export const CALLS: readonly ScriptedCall[] = [
  {
    title: 'an index made in the background',
    tool: 'index',
    input: (root) => ({ root }),
    says: 'j1',
  },
  {
    title: 'lines that match a regular expression, until the budget is full',
    tool: 'regex_search',
    input: () => ({ pattern: 'ne+dle', limit: 200 }),
    says: '\nmore: cursor=',
  },
  {
    title: 'more of them, by the cursor alone',
    tool: 'regex_search',
    input: (_folder, answers) => ({ cursor: cursorOf(answers) }),
    says: 'a needle, ',
  },
  {
    title: 'a folder that may not be read: an error',
    tool: 'regex_search',
    input: () => ({ pattern: 'ne+dle', path: '/' }),
    says: 'path_not_allowed: ',
    fails: true,
  },
  {
    title: 'an argument that does not exist: an error',
    tool: 'regex_search',
    input: () => ({ pattern: 'ne+dle', colour: 'red' }),
    says: "invalid_parameter: Unknown argument 'colour'",
    fails: true,
  },
  {
    title: 'code by words and meaning',
    tool: 'hybrid_search',
    input: () => ({ query: 'where is the needle' }),
    says: 'needle',
  },
  {
    title: 'a session that does not exist: an error',
    tool: 'get_event_details',
    input: () => ({ session_id: 'nosuchid', event_index: 0 }),
    says: "session_not_found: No session 'nosuchid'",
    fails: true,
  },
  {
    title: 'files of the index',
    tool: 'query_run',
    input: () => ({ filter: { ext: 'txt' } }),
    says: '😀',
  },
];

/** A folder whose matches fill the answer's budget, with quotes, accents and four-byte characters in names. */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < ENTRIES; n++) {
    const number = String(n).padStart(3, '0');
    if (n % 3 === 0) mkdirSync(join(folder, `a-folder-with-a-rather-long-name-${number}`));
    else
      writeFileSync(
        join(folder, `file "${number}" – é 😀 and more of a name.txt`),
        `a needle, ${n} times over\n`.repeat(n % 9),
      );
  }
}
