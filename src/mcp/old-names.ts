import type { RawInput } from '../contract/input.ts';
import type { NextCall } from '../contract/next-call.ts';

/** What an old tool has become; without `call` the old arguments do not say which of the successors is meant. */
export interface Successor {
  readonly tools: readonly string[];
  readonly call?: NextCall | undefined;
}

type Translate = (input: RawInput) => Successor;

const to = (operation: string, input: RawInput): Successor => ({
  tools: [operation],
  call: { operation, input },
});

const BY_LEVEL: Readonly<Record<string, string>> = {
  summary: 'get_session_summary',
  turns: 'get_session_turns',
  steps: 'get_turn_steps',
  full: 'get_session_full',
};

const sessionAtLevel: Translate = ({ detail_level: level = 'summary', ...input }) => {
  const operation = BY_LEVEL[String(level)];
  const { include_reasoning, ...plain } = input;
  if (operation === undefined) return { tools: Object.values(BY_LEVEL) };
  if (operation === 'get_session_turns') return to(operation, input);
  // Steps belong to a turn: without one, the turns come first.
  if (operation === 'get_turn_steps' && input.turn_index === undefined) return to('get_session_turns', plain);
  return to(operation, operation === 'get_session_full' ? { cursor: 'start', ...plain } : plain);
};

const SET_TOOLS: Readonly<Record<string, string>> = {
  create: 'resource_set_create',
  list: 'resource_set_list',
  get: 'resource_set_get',
  delete: 'resource_set_delete',
  add: 'resource_set_update',
  remove: 'resource_set_update',
};

const setOperation: Translate = ({ op, operation: named = op, action = named, ...input }) => {
  const word = String(action);
  const tool = SET_TOOLS[word];
  if (tool === undefined) return { tools: [...new Set(Object.values(SET_TOOLS))] };
  if (tool !== 'resource_set_update') return to(tool, input);
  const { node_ids, nodeIds = node_ids, ...rest } = input;
  return to(tool, { ...rest, [word]: nodeIds });
};

const RENAMED: Readonly<Record<string, Translate>> = {
  get_session_details: sessionAtLevel,
  get_session_by_id: sessionAtLevel,
  get_session_steps: (input) => sessionAtLevel({ ...input, detail_level: 'steps' }),
  search_events: ({ include_full_payload, ...input }) => to('search_event_previews', input),
  'resource-set-ops': setOperation,
  resource_set_ops: setOperation,
};

/** What stands for old names of tools: by name, and with hyphens for underscores. */
export function successors(tools: readonly { readonly name: string }[]): ReadonlyMap<string, Translate> {
  const hyphened = tools
    .filter(({ name }) => name.includes('_'))
    .map(({ name }): [string, Translate] => [name.replaceAll('_', '-'), (input) => to(name, input)]);
  return new Map([...Object.entries(RENAMED), ...hyphened]);
}
