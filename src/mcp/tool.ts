import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../contract/input.ts';
import type { Toolset } from '../contract/operation.ts';

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

export interface ToolChoice {
  readonly toolsets: readonly Toolset[];
  /** Leave out tools that change something. */
  readonly readOnly: boolean;
}

export const DEFAULT_TOOLSETS: readonly Toolset[] = ['code', 'sessions', 'disk'];

/** The chosen tools, in their fixed order. */
export function toolsFor(tools: readonly Tool[], choice: ToolChoice): Tool[] {
  return tools.filter(
    ({ toolset, readOnly }) =>
      (toolset === 'every' || choice.toolsets.includes(toolset)) && (readOnly || !choice.readOnly),
  );
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
