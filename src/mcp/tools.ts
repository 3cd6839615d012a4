import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../contract/input.ts';
import type { Toolset } from '../contract/operation.ts';

/** A tool as clients see it: plain data. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** 'every': comes with each toolset. */
  readonly toolset: Toolset | 'every';
  readonly readOnly: boolean;
  readonly inputSchema: JsonSchema;
}

export interface ToolChoice {
  readonly toolsets: readonly Toolset[];
  /** Leave out what changes state. */
  readonly readOnly: boolean;
}

export const DEFAULT_TOOLSETS: readonly Toolset[] = ['code', 'sessions', 'disk'];

/** The tools of this choice, in their fixed order. */
export function toolsFor(tools: readonly Tool[], choice: ToolChoice): Tool[] {
  return tools.filter(
    ({ toolset, readOnly }) =>
      (toolset === 'every' || choice.toolsets.includes(toolset)) && (readOnly || !choice.readOnly),
  );
}

/**
 * A tool's input for the SDK: our own JSON Schema is advertised, and arguments pass through unchecked, because
 * the contract checks them and words the error.
 */
export function toolInput({ inputSchema }: Tool): StandardSchemaWithJSON<unknown, unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'pinhole',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => ({ ...inputSchema }), output: () => ({ ...inputSchema }) },
    },
  };
}
