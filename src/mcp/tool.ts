import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { isObject } from '../contract/guards.ts';
import type { JsonSchema } from '../contract/input.ts';
import { TOOLSETS, type Toolset } from '../contract/operation.ts';

/** A tool as clients see it: plain data. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** 'every': part of each toolset. */
  readonly toolset: Toolset | 'every';
  readonly readOnly: boolean;
  readonly inputSchema: JsonSchema;
  /** The schema of its JSON answers, for `--structured`. */
  readonly outputSchema: JsonSchema;
}

/** What `--toolsets` takes: toolsets, the few tools that answer most questions, or everything that is not old. */
export const TOOL_GROUPS = ['core', ...TOOLSETS, 'all'] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

export interface ToolChoice {
  /** What is listed; undefined: what suits the client. */
  readonly toolsets: readonly ToolGroup[] | undefined;
  /** Leave out tools that change something, and refuse calls to them. */
  readonly readOnly: boolean;
}

/**
 * The tools that every conversation pays for where a client loads all tools at once: those that answer most questions
 * in one call. Each without the inputs that are not worth their tokens there; they work all the same.
 */
const CORE: Readonly<Record<string, readonly string[]>> = {
  sql: ['limit'],
  symbol: ['limit'],
  regex_search: ['limit', 'context_lines'],
  hybrid_search: ['limit', 'glob', 'include_snippet', 'context_lines'],
};

export function isCore({ name }: Pick<Tool, 'name'>): boolean {
  return Object.hasOwn(CORE, name);
}

/** Clients, by the name they introduce themselves with, whose model sees only the names of tools until it asks for more. */
const DEFERRING: ReadonlySet<string> = new Set(['claude-code']);

/** Whether a client loads tools when they are needed, so that a long list costs it nothing. */
export function defersTools(client: string | undefined): boolean {
  return DEFERRING.has(client ?? '');
}

/** The tools that may be called, in their fixed order. */
export function callableTools(tools: readonly Tool[], { readOnly }: Pick<ToolChoice, 'readOnly'>): Tool[] {
  return tools.filter((tool) => tool.readOnly || !readOnly);
}

/** The tools that a client is shown, in their fixed order. */
export function listedTools(tools: readonly Tool[], choice: ToolChoice, client?: string): Tool[] {
  const groups = choice.toolsets ?? ['core', ...(defersTools(client) ? (['all'] as const) : [])];
  const hasToolset = groups.some((group) => group !== 'core');
  return callableTools(tools, choice).flatMap((tool) => {
    const core = groups.includes('core') ? CORE[tool.name] : undefined;
    if (core !== undefined) return [withoutInputs(tool, core)];
    if (tool.toolset === 'every') return hasToolset ? [tool] : [];
    const chosen = groups.includes(tool.toolset) || (groups.includes('all') && tool.toolset !== 'legacy');
    return chosen ? [tool] : [];
  });
}

function withoutInputs(tool: Tool, names: readonly string[]): Tool {
  const { properties } = tool.inputSchema;
  if (names.length === 0 || !isObject(properties)) return tool;
  const kept = Object.entries(properties).filter(([name]) => !names.includes(name));
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: Object.fromEntries(kept) } };
}

/** Reads a list such as `code,disk`; undefined if it names something else. */
export function toolGroups(list: string): readonly ToolGroup[] | undefined {
  const names = list.split(',').map((name) => name.trim());
  const groups = TOOL_GROUPS.filter((group) => names.includes(group));
  return groups.length === new Set(names).size ? groups : undefined;
}

/**
 * Our own JSON Schema for the SDK, which advertises it and passes values through unchecked: the contract checks the
 * arguments and writes the errors.
 */
export function advertised(schema: JsonSchema): StandardSchemaWithJSON<unknown, unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'pinhole',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
    },
  };
}
