import { PROVIDERS } from '../sessions/providers/index.ts';

/**
 * What each input means, for people: the help of the commands, the OpenAPI file and the reference. Models do not
 * get these lines, a tool list has to be small. An entry for `operation.input` goes before one for `input`.
 */
const WORDS: Readonly<Record<string, string>> = {
  a: 'first session: id or its first characters',
  add: 'nodes to add',
  b: 'second session: id or its first characters',
  by: 'what to group by',
  'disk_largest.by': 'which size counts: space on disk, or length of the content',
  cancel: 'stop the job',
  case: 'smart: any case unless the pattern has capitals',
  confirm: 'the number of items of the plan, as a sign that you read it',
  context_lines: 'lines to show around each match',
  cursor: 'where to go on: next_cursor of the page before',
  'get_session_full.cursor': '"start", then next_cursor of the page before',
  days: 'how many days back',
  depth_limit: 'levels of folders to keep; what is deeper counts in the totals and is not found by name',
  detail_level: 'how deep to go',
  digest: 'compute the SHA-256 of the content',
  event_index: 'number of the event, from 0',
  event_type: 'tool_call, tool_result, message, user, reasoning, token_usage or notification',
  everything: 'binary, minified and huge files too',
  exclude: 'globs of what to leave out',
  ext: 'extensions without the dot, separated by commas',
  failed: 'only sessions with failures',
  fields: 'only these fields of each row, separated by commas',
  file: 'path of the ncdu file',
  keep: 'keep copies of logs, or stop; how it stands if not given',
  filter: 'which nodes count, as JSON: {"name":"*.log","size":">1GB","modified":">30d"}; any, all, not',
  fixed: 'take the pattern as plain text',
  follow_symlinks: 'go through symbolic links to folders',
  full: 'read everything again instead of what changed',
  glob: 'only files that fit, or with ! in front those that do not; separated by commas',
  grep: 'only lines that match this regular expression',
  group: 'only the files of the group with this digest',
  hidden: 'files and folders with a leading dot too',
  include_failures: 'look for failures',
  include_full_payload: 'whole events instead of previews',
  include_loops: 'look for loops',
  include_reasoning: 'what the model thought, too',
  include_snippet: 'show the text that was found',
  index_id: 'which index, such as i3; the one of the current folder if left out',
  into: 'selection that takes the result, such as s5',
  job_id: 'which job, such as j7',
  kind: 'file, dir, symlink or other',
  language: 'only files of this language',
  like: 'a place whose like is wanted: file:line',
  limit: 'rows in a page',
  'query_run.limit': 'rows in the report',
  'session_preferences.limit': 'rows that cd shows',
  line: 'the line to show, in the middle',
  lines: 'how many lines',
  min_score: 'leave out what ranks lower',
  min_size: 'leave out files smaller than this many bytes',
  min_tokens: 'only sessions that used at least this many',
  mode: 'what happens to a selection that is there already',
  modified: "age such as '<7d' or '>1y', or a date such as '>2026-01-31'",
  name: 'a name for it',
  'disk_find.name': 'glob that the name fits',
  node_id: 'which node, such as n4f2',
  node_ids: 'which nodes, separated by commas',
  offset: 'byte of the text to begin with',
  one_file_system: 'stay on the file system of the folder, which is the rule; --no-one-file-system crosses',
  operation: 'only calls of this operation',
  other: 'the index to compare with, such as i4',
  output: 'matching lines, file names, or lines per file',
  owner: 'name or number of the user that owns it',
  parent: 'the folder whose entries are listed: a node, such as n4f2',
  path: 'only below this folder, or in this file',
  'allow.path': 'the folder to allow',
  'cd.path': 'where to go; relative to the folder of the shell',
  'file_history.path': 'the file',
  'file_view.path': 'the file',
  'inspect.path': 'the file or folder, if node_id is not given',
  pattern: 'regular expression, in the dialect of ripgrep',
  plan_id: 'which plan, such as p1',
  project: 'path or hash of a project',
  provider: PROVIDERS.map(({ id }) => id).join(', '),
  query: 'what to look for, in words',
  'search_event_previews.query':
    'text to look for, in any case; with event_type tool_call, the exact name of a tool finds its calls',
  query_id: 'which saved query, such as q2',
  raw: 'the record of the log instead of its text',
  regex: 'take the query as a regular expression',
  'disk_find.regex': 'regular expression that the name matches',
  remove: 'nodes to take out',
  'allow.remove': 'take the permission back',
  root: 'the folder to index',
  save_as: 'keep the filter as a query of this name',
  selection_id: 'which selection, such as s5',
  session_id: 'the session: id or its first characters',
  shell: 'the shell whose folder and preferences hold, such as w8',
  since: "from then on: a date, or '7d', '12h'",
  'disk_growth.since': "compare with the scan of then: a date, or '7d'",
  size: "such as '>100MB' or '1kB..2MB'",
  snippet_length: 'longest text of one match, in characters',
  sort: 'order of the entries',
  turn_index: 'number of the turn, from 0',
  under: 'the folder to look below; the current one if left out',
  units: '1024, 1000, or plain bytes',
  until: "up to then: a date, or '7d', '12h'",
  what: 'what to index it for',
  who: 'calls of agents, of people, or of all',
  word: 'whole words only',
};

/** What an input of an operation means, in a few words. */
export function inputWords(operation: string, input: string): string {
  return WORDS[`${operation}.${input}`] ?? WORDS[input] ?? '';
}

/** The JSON Schema of an input, as far as it is put in words. */
export interface InputField {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What an input means and takes. */
export function inputText(operation: string, input: string, field: InputField): string {
  const words = inputWords(operation, input);
  const takes =
    field.enum?.join(' | ') ??
    (field.minimum !== undefined && field.maximum !== undefined ? `${field.minimum}..${field.maximum}` : '');
  const value = field.default === undefined ? '' : `(default ${field.default})`;
  return [takes === '' ? words : `${words}: ${takes}`, value].filter((part) => part !== '').join(' ');
}

/** Names of all entries, for the test that none is missing or left over. */
export const inputWordKeys: readonly string[] = Object.keys(WORDS);
