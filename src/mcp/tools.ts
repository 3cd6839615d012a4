import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { inputJsonSchema } from '../contract/input.ts';
import type { Operation, Toolset } from '../contract/operation.ts';

export interface ToolChoice {
  readonly toolsets: readonly Toolset[];
  /** Leave out what changes state. */
  readonly readOnly: boolean;
}

export const DEFAULT_TOOLSETS: readonly Toolset[] = ['code', 'sessions', 'disk'];

/** The operations that are tools for this choice, in their fixed order. */
export function toolsFor<S>(operations: readonly Operation<S>[], choice: ToolChoice): Operation<S>[] {
  return operations.filter(
    ({ toolset, readOnly }) =>
      toolset !== undefined &&
      (toolset === 'every' || choice.toolsets.includes(toolset)) &&
      (readOnly || !choice.readOnly),
  );
}

/**
 * An operation's input for the SDK: our own JSON Schema is advertised, and arguments pass through unchecked,
 * because the contract checks them and words the error.
 */
export function toolInput(operation: Operation<never>): StandardSchemaWithJSON<unknown, unknown> {
  const schema = inputJsonSchema(operation);
  return {
    '~standard': {
      version: 1,
      vendor: 'pinhole',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
    },
  };
}
