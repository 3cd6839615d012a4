import { z } from 'zod';
import type { InputField } from '../app/input-text.ts';
import { inputFacts, inputSchema } from '../contract/input.ts';
import type { InputFacts } from '../contract/input-names.ts';
import type { Command, Operation } from '../contract/operation.ts';

/** What commands need to know of an operation to pass it on: plain data, see `commands.data.ts`. */
export interface CommandFacts extends InputFacts {
  readonly name: string;
  readonly summary: string;
  readonly readOnly: boolean;
  /** It answers in pages. */
  readonly paged: boolean;
  /** Absent where it is not a command. */
  readonly command?: Command | undefined;
  readonly properties: Readonly<Record<string, InputField>>;
  /** The inputs without which it cannot run. */
  readonly required: readonly string[];
}

export function commandFacts(operation: Operation<never>): CommandFacts {
  const { name, summary, readOnly, limit, command, aliases } = operation;
  const { required = [] } = z.toJSONSchema(inputSchema(operation), { io: 'input', unrepresentable: 'any' });
  // JSON Schemas of fields, made by Zod.
  const properties = inputFacts(operation).properties as Readonly<Record<string, InputField>>;
  return { name, summary, readOnly, paged: limit !== undefined, command, aliases, properties, required };
}
