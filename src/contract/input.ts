import { z } from 'zod';
import { inputMessage, type MessageParts, PinholeError } from './errors.ts';
import { isObject } from './guards.ts';
import { type InputFacts, knownName } from './input-names.ts';
import type { Operation } from './operation.ts';

export type RawInput = Readonly<Record<string, unknown>>;
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schemas are made once per operation: every call and every tool list needs them. */
function oncePerOperation<T>(make: (operation: Operation<never>) => T): (operation: Operation<never>) => T {
  const made = new WeakMap<Operation<never>, T>();
  return (operation) => {
    const known = made.get(operation);
    if (known !== undefined) return known;
    const value = make(operation);
    made.set(operation, value);
    return value;
  };
}

/** The operation's own input plus `limit` and `cursor` where it is paged. */
export const inputSchema = oncePerOperation((operation): z.ZodObject => {
  if (operation.limit === undefined) return operation.input;
  return operation.input.extend({
    limit: z.int().min(1).max(operation.limit.max).default(operation.limit.default).describe('rows per page'),
    cursor: z.string().max(24).optional().describe('next_cursor from the previous page'),
  });
});

/**
 * JSON Schema as a model reads it: no `$schema`, no safe-integer bounds, and nothing required where a cursor
 * alone will do.
 */
export const inputJsonSchema = oncePerOperation((operation): JsonSchema => {
  const { $schema, additionalProperties, required, ...rest } = z.toJSONSchema(inputSchema(operation), {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const empty = Object.keys(rest.properties ?? {}).length === 0;
  if (empty) return { type: 'object', additionalProperties: false };
  return { ...rest, ...(operation.limit === undefined && required?.length ? { required } : {}) };
});

/** The inputs of an operation with their JSON Schemas. */
export const inputFacts = oncePerOperation((operation) => {
  const { properties } = inputJsonSchema(operation);
  return { properties: isObject(properties) ? properties : {}, aliases: operation.aliases };
});

/** Only their names: every call needs those. */
const inputNames = oncePerOperation((operation): InputFacts => {
  return { properties: inputSchema(operation).shape, aliases: operation.aliases };
});

/** Gives arguments their right names. */
export function withKnownNames(operation: Operation<never>, raw: RawInput): RawInput {
  const named: Record<string, unknown> = {};
  const known = inputNames(operation);
  for (const [given, value] of Object.entries(raw)) {
    if (value === undefined || value === null) continue;
    const right = knownName(known, given) ?? given;
    const several = Array.isArray(value) ? knownName(known, `${right}s`) : undefined;
    const name = several ?? right;
    // Some models fill in every argument; an empty cursor counts as missing.
    if (name === 'cursor' && value === '') continue;
    if (!(name in named) || name === given) named[name] = value;
  }
  return named;
}

/** Pages are cut by bytes anyway, so a model that wants more rows than there can be gets as many as there can be. */
export function withinPage({ limit: rows }: Operation<never>, named: RawInput): RawInput {
  const { limit } = named;
  return rows !== undefined && typeof limit === 'number' && limit > rows.max
    ? { ...named, limit: rows.max }
    : named;
}

/** Checks arguments; the error says which one is wrong and what would be right. */
export function parseInput(operation: Operation<never>, named: RawInput): RawInput {
  const schema = inputSchema(operation);
  const result = schema.safeParse(named, { reportInput: true });
  if (result.success) return result.data;
  const messages = result.error.issues
    .slice(0, 3)
    .flatMap((issue, i) => [...(i === 0 ? [] : [' ']), ...explain(issue, schema)]);
  throw new PinholeError('invalid_parameter', messages, {
    details: { operation: operation.name },
    cause: result.error,
  });
}

type Issue = z.core.$ZodIssue;

function explain(issue: Issue, schema: z.ZodObject): MessageParts {
  const name = inputAt(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const takes = Object.keys(schema.shape).join(', ') || 'none';
      const names = issue.keys
        .slice(0, 3)
        .map((key) => key.slice(0, 40))
        .join("', '");
      return issue.path.length > 0
        ? inputMessage`Unknown field '${names}' in ${name}.`
        : [`Unknown argument '${names}'; this operation takes: ${takes}.`];
    }
    case 'invalid_type':
      return issue.input === undefined
        ? inputMessage`${name} is required: ${article(issue.expected)}.`
        : inputMessage`${name} must be ${article(issue.expected)}.`;
    case 'too_big':
    case 'too_small':
      return inputMessage`${name} must be ${bounds(issue, schema)}.`;
    case 'invalid_value':
      return inputMessage`${name} must be one of ${issue.values.map(String).join(', ')}.`;
    default:
      return issue.path.length === 0 ? [`${issue.message}.`] : inputMessage`${name}: ${issue.message}.`;
  }
}

/** An input by its name; a place inside one as text, since it has no other name anywhere. */
function inputAt(path: readonly PropertyKey[]): string | { readonly input: string } {
  return path.length === 1 ? { input: String(path[0]) } : pathText(path);
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('');
}

function article(type: string): string {
  const name = type === 'int' ? 'integer' : type;
  if (type === 'array') return 'a list';
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

/** Both ends of the allowed range, so that one error is enough to get it right. */
function bounds(issue: Issue & { code: 'too_big' | 'too_small' }, schema: z.ZodObject): string {
  const field = propertySchema(schema, issue.path);
  const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' items' : '';
  const low = field?.minimum ?? field?.minLength ?? field?.minItems;
  const high = field?.maximum ?? field?.maxLength ?? field?.maxItems;
  if (typeof low === 'number' && typeof high === 'number' && high < Number.MAX_SAFE_INTEGER)
    return `${low}..${high}${unit}`;
  return issue.code === 'too_big' ? `at most ${issue.maximum}${unit}` : `at least ${issue.minimum}${unit}`;
}

function propertySchema(schema: z.ZodObject, path: readonly PropertyKey[]): JsonSchema | undefined {
  const [first] = path;
  if (path.length !== 1 || typeof first !== 'string') return undefined;
  const field = schema.shape[first];
  return field === undefined ? undefined : z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
}
