import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An answer or error body of Pinhole. */
export interface Body {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly pagination?: { readonly next_cursor?: string; readonly has_more: boolean };
  readonly error?: { readonly code: string };
}

/** One thing that every client is made to do, in order. */
export interface ScriptedCall {
  /** How the matrix names it. */
  readonly title: string;
  readonly tool: string;
  /** The arguments, from the folder that the client works in and the answers so far. */
  readonly input: (folder: string, answers: readonly Body[]) => Readonly<Record<string, unknown>>;
  /** What must be so in the answer; throws otherwise. */
  readonly check: (body: Body, folder: string) => void;
}

const ENTRIES = 120;

/** Every operation that real clients are tested with; more are one entry each. */
export const CALLS: readonly ScriptedCall[] = [
  {
    title: 'a folder whose listing fills the budget',
    tool: 'cd',
    input: (path) => ({ path, limit: 100 }),
    check: ({ data, pagination }, folder) => {
      must(data?.cwd === folder, 'cd answers for the folder');
      must(pagination?.has_more === true, 'there is a next page');
    },
  },
  {
    title: 'its next page, by the cursor alone',
    tool: 'cd',
    input: (_folder, [first]) => ({ cursor: first?.pagination?.next_cursor }),
    check: ({ data }, folder) => must(data?.cwd === folder, 'the cursor remembers the folder'),
  },
  {
    title: 'a folder that may not be read: an error',
    tool: 'cd',
    input: () => ({ path: '/' }),
    check: ({ error }) => must(error?.code === 'path_not_allowed', 'a folder outside is refused'),
  },
  {
    title: 'an argument that does not exist: an error',
    tool: 'cd',
    input: () => ({ colour: 'red' }),
    check: ({ error }) => must(error?.code === 'invalid_parameter', 'an unknown argument is refused'),
  },
  {
    title: 'one entry',
    tool: 'inspect',
    input: (folder) => ({ path: join(folder, 'a-folder-with-a-rather-long-name-000') }),
    check: ({ data }) => must(data?.kind === 'dir', 'inspect tells a folder'),
  },
  {
    title: 'lines that match a regular expression',
    tool: 'regex_search',
    input: () => ({ pattern: 'ne+dle', limit: 30 }),
    check: ({ data, pagination }) => {
      must(Array.isArray(data?.matches) && data.matches.length > 0, 'there are matches');
      must(pagination?.has_more === true, 'there are more matches');
    },
  },
  {
    title: 'more of them, by the cursor alone',
    tool: 'regex_search',
    input: (_folder, answers) => ({ cursor: answers.at(-1)?.pagination?.next_cursor }),
    check: ({ data }) => must(Array.isArray(data?.matches) && data.matches.length > 0, 'the search goes on'),
  },
  {
    title: 'code by words and meaning',
    tool: 'hybrid_search',
    input: () => ({ query: 'where is the needle' }),
    check: ({ data }) => must(Array.isArray(data?.matches), 'there is a list of matches'),
  },
  {
    title: 'recent agent sessions',
    tool: 'list_sessions',
    input: () => ({ limit: 5 }),
    check: ({ data }) => must(Array.isArray(data?.sessions), 'there is a list of sessions'),
  },
  {
    title: 'a session that does not exist: an error',
    tool: 'get_session_summary',
    input: () => ({ session_id: 'nosuchid' }),
    check: ({ error }) => must(error?.code === 'session_not_found', 'the session is not found'),
  },
  {
    title: 'an index made in the background',
    tool: 'index',
    input: (root) => ({ root }),
    check: ({ data }) => must(typeof data?.job_id === 'string', 'there is a job to follow'),
  },
  {
    title: 'its progress, by the job handle',
    tool: 'job_progress',
    input: (_folder, answers) => ({ job_id: answers.at(-1)?.data?.job_id }),
    check: ({ data }) => must(typeof data?.status === 'string', 'the job has a status'),
  },
];

/** A folder whose listing fills the budget: names with quotes, accents and characters of four bytes. */
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

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`expected that ${what}`);
}
