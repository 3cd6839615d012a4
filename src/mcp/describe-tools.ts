import { outputJsonSchema } from '../contract/envelope.ts';
import { inputJsonSchema, type JsonSchema } from '../contract/input.ts';
import type { Operation } from '../contract/operation.ts';
import type { Tool } from './tools.ts';

/** The operations that are tools, with their input as a model needs to know it. */
export function describeTools(operations: readonly Operation<never>[]): Tool[] {
  return operations.flatMap((operation) => {
    const { name, summary: description, toolset, readOnly, unlisted = [] } = operation;
    if (toolset === undefined) return [];
    const inputSchema = asModelsNeedIt(withoutUnlisted(inputJsonSchema(operation), unlisted));
    return [{ name, description, toolset, readOnly, inputSchema, outputSchema: outputJsonSchema(operation) }];
  });
}

function withoutUnlisted(schema: JsonSchema, unlisted: readonly string[]): JsonSchema {
  const { properties } = schema;
  if (!isSchema(properties)) return schema;
  const listed = Object.entries(properties).filter(([name]) => !unlisted.includes(name));
  return { ...schema, properties: Object.fromEntries(listed) };
}

const UNSAID = new Set(['description', 'minLength', 'maxLength', 'minItems', 'maxItems']);

/**
 * Leaves out what models can do without, because every tool is paid for in each conversation: descriptions of inputs
 * (they are for help and reference), lengths of strings and lists, a minimum of zero or one, the default of a number,
 * and that a switch is off. The contract still knows and checks them.
 */
function asModelsNeedIt(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !UNSAID.has(key) &&
      !(key === 'minimum' && (value === 0 || value === 1)) &&
      !(key === 'default' && (value === false || typeof value === 'number')),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'properties' ? eachProperty(value) : inner(value)]),
  );
}

/** Names of properties are no keywords: one may be called `minimum`. */
function eachProperty(properties: unknown): unknown {
  if (!isSchema(properties)) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, inner(value)]));
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inner);
  return isSchema(value) ? asModelsNeedIt(value) : value;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
