import { z } from 'zod';
import { fail, inputMessage } from '../../contract/errors.ts';
import type { CallContext } from '../../contract/operation.ts';
import { CHECKS } from '../model/checks.ts';
import { EVENT_TYPES, type EventType } from '../model/event.ts';
import { CALL_STATUSES, filtersCalls } from '../search/call-filter.ts';
import type { SearchScope } from '../search/candidates.ts';
import type { SearchQuery } from '../search/session-search.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import {
  machine,
  person,
  project,
  provider,
  session_id,
  sessionScope,
  since,
  until,
} from './session-inputs.ts';

/** A type of event; `ToolCall` is the same as `tool_call`. */
const event_type = z.preprocess(
  (given) => (typeof given === 'string' ? given.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase() : given),
  z
    .enum([...EVENT_TYPES, 'said'])
    .optional()
    .describe('only events of this type; said: user and message'),
);

export const status = z.enum(CALL_STATUSES).describe('only calls with this outcome');
export const tool = z
  .string()
  .describe(
    'only calls of this tool: its name, or a kind: read, edit, write, execute, search, web, agent, mcp',
  );

export const check = z
  .enum(CHECKS)
  .describe('only calls that run this kind of check; failed ones with status');

export const searchInput = z.strictObject({
  query: z.string().optional().describe('text; a capital letter makes case matter. Not needed with a filter'),
  regex: z.boolean().optional().describe('treat the query as a regular expression'),
  meaning: z.boolean().optional().describe('by meaning, in prompts and answers; best sessions first'),
  session_id: session_id.optional(),
  provider: provider.optional(),
  project: project.optional(),
  machine: machine.optional(),
  person: person.optional(),
  event_type,
  status: status.optional(),
  tool: tool.optional(),
  check: check.optional(),
  min_bytes: z.int().min(0).optional().describe('only calls with results of at least this size'),
  order: z.enum(['newest', 'oldest']).optional().describe('which comes first (default newest)'),
  since: since.optional(),
  until: until.optional(),
});

export type SearchInput = z.input<typeof searchInput>;

export interface Search {
  readonly query: SearchQuery;
  readonly scope: SearchScope;
}

/** What to search for, and where. */
export async function searchOf(
  input: SearchInput,
  ctx: Pick<CallContext, 'caller' | 'now' | 'zone'> & SessionServices,
): Promise<Search> {
  const { sessions, caller } = ctx;
  if (input.query === '') fail('invalid_parameter', 'query must not be empty.');
  const { query, status, check, min_bytes: minBytes } = input;
  const filtered = filtersCalls({ status, tool: input.tool, check, minBytes });
  if (query === undefined && input.event_type === undefined && !filtered)
    fail(
      'invalid_parameter',
      inputMessage`Give ${{ input: 'query' }}, or one of ${{ input: 'event_type' }}, ${{ input: 'status' }}, ${{ input: 'tool' }}, ${{ input: 'check' }}, ${{ input: 'min_bytes' }}.`,
    );
  const session = input.session_id === undefined ? undefined : await sessions.list.find(input.session_id);
  const own =
    session === undefined && caller.session !== undefined ? await keyOf(sessions, caller.session) : undefined;
  const named =
    input.regex === true ? undefined : await namedTool(sessions, query, typesOf(input.event_type));
  const id =
    query !== undefined && CALL_ID.test(query) && (await sessions.events.isCall(query)) ? query : undefined;
  const calls = { tool: input.tool ?? named, status, check, minBytes, id };
  const text = named === undefined && id === undefined ? query : undefined;
  return {
    query: { text, regex: input.regex === true },
    scope: {
      sessionKey: session?.key,
      excludeKeys: own === undefined ? [] : [own],
      ...sessionScope(input, ctx),
      types: named === undefined ? typesOf(input.event_type) : ['tool_call'],
      calls: filtersCalls(calls) ? calls : undefined,
    },
  };
}

function typesOf(given: SearchInput['event_type']): readonly EventType[] | undefined {
  if (given === 'said') return ['user', 'message'];
  const type = EVENT_TYPES.find((one) => one === given);
  return type && [type];
}

/** The form of an agent's call ids: `toolu_01…`, `call_…`. */
const CALL_ID = /^[\w-]{8,100}$/;

/** A search for Read among calls means the tool, not every command with a README; so does `"name":"Read"`. */
async function namedTool(
  sessions: Sessions,
  query: string | undefined,
  types: readonly EventType[] | undefined,
): Promise<string | undefined> {
  const calls = types?.includes('tool_call');
  if (query === undefined || calls === false) return undefined;
  const inJson = /^"name"\s*:\s*"([^"]+)"$/.exec(query)?.[1];
  const name = inJson ?? (calls === true ? query : undefined);
  return name !== undefined && (await sessions.events.isTool(name)) ? name : undefined;
}

/** The calling session should not find itself; it may not be indexed yet. */
async function keyOf(sessions: Sessions, id: string): Promise<number | undefined> {
  try {
    return (await sessions.list.find(id)).key;
  } catch {
    return undefined;
  }
}
