import { takesSeveral } from '../contract/arguments.ts';
import { outputJsonSchema } from '../contract/envelope.ts';
import { inputJsonSchema, type JsonSchema } from '../contract/input.ts';
import type { Operation } from '../contract/operation.ts';
import { parameterWords } from './parameter-words.ts';
import type { Tool } from './tool.ts';

/** The operations that are tools, with their input described as briefly as a model needs it. */
export function describeTools(operations: readonly Operation<never>[]): Tool[] {
  return operations.flatMap((operation) => {
    const { name, summary: description, toolset, readOnly, unlisted = [] } = operation;
    if (toolset === undefined) return [];
    const inputSchema = withWords(name, forModels(withoutUnlisted(inputJsonSchema(operation), unlisted)));
    return [{ name, description, toolset, readOnly, inputSchema, outputSchema: outputJsonSchema(operation) }];
  });
}

function withoutUnlisted(schema: JsonSchema, unlisted: readonly string[]): JsonSchema {
  const { properties } = schema;
  if (!isSchema(properties)) return schema;
  const listed = Object.entries(properties).filter(([name]) => !unlisted.includes(name));
  return { ...schema, properties: Object.fromEntries(listed) };
}

/** Describes the inputs whose names do not say enough. */
function withWords(tool: string, schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (!isSchema(properties)) return schema;
  const described = Object.entries(properties).map(([name, field]) => {
    const description = parameterWords(tool, name);
    // More rows than there can be is not a mistake of a model.
    if (name === 'limit') return [name, { type: 'integer' }];
    if (description === undefined || !isSchema(field)) return [name, field];
    return [name, { ...withoutItemFields(field), description }];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}

/** The words say which fields the objects of a list have. */
function withoutItemFields(field: JsonSchema): JsonSchema {
  const { items } = field;
  return isSchema(items) && items.type === 'object' ? { ...field, items: { type: 'object' } } : field;
}

const LEFT_OUT = new Set(['description', 'minLength', 'maxLength', 'minItems', 'maxItems']);

/**
 * Leaves out what no model needs, because every conversation pays for each tool: what most inputs mean (the summary
 * and their names say it), lengths of strings and lists, a minimum of zero or one, defaults of numbers, that a switch is
 * off, and that a folder is the current one. The contract still checks them.
 */
function forModels(schema: JsonSchema): JsonSchema {
  // One text is the common case, and a list is taken all the same.
  if (takesSeveral(schema)) return { type: 'string' };
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !LEFT_OUT.has(key) &&
      !(key === 'minimum' && (value === 0 || value === 1)) &&
      !(key === 'default' && (value === false || value === '.' || typeof value === 'number')),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'properties' ? forEachProperty(value) : nested(value)]),
  );
}

/** Property names are not keywords: a property can be called `minimum`. */
function forEachProperty(properties: unknown): unknown {
  if (!isSchema(properties)) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, nested(value)]));
}

function nested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nested);
  return isSchema(value) ? forModels(value) : value;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
