import { BUDGET } from '../contract/caller.ts';
import { outputJsonSchema } from '../contract/envelope.ts';
import { inputJsonSchema, type JsonSchema } from '../contract/input.ts';
import { columnsOf, type Operation } from '../contract/operation.ts';
import { DEFAULT_PER_MINUTE } from '../contract/rate.ts';
import { VERSION } from '../contract/version.ts';
import { formatsOf, type RestFormat } from './formats.ts';
import { errorAnswers, errorResponses, errorSchemas } from './openapi-errors.ts';
import { STREAM_PATHS } from './openapi-streams.ts';
import { pathInputs, type Route, routeGroups } from './routes.ts';

/** The headers of {@link rateHeaders}. */
const RATE_HEADERS: Readonly<Record<string, string>> = {
  'RateLimit-Limit': 'Calls of this operation per minute',
  'RateLimit-Remaining': 'Calls left',
  'RateLimit-Reset': 'Seconds until all calls are available again',
};

const MEDIA_TYPES: Readonly<Record<RestFormat, string>> = {
  json: 'application/json',
  text: 'text/plain',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  explain: 'application/json with the plan instead of rows',
};

/** OpenAPI 3.1 for all REST routes, made from the operations. */
export function openApi(operations: readonly Operation<never>[], server: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const first = new Map<string, Route>();
  for (const group of routeGroups(operations)) {
    const [route] = group;
    const { path, method, operation } = route;
    const operationId = idOf(group, first.get(operation.name));
    if (!first.has(operation.name)) first.set(operation.name, route);
    paths[path] = { ...paths[path], [method.toLowerCase()]: { operationId, ...describe(group) } };
  }
  for (const [path, methods] of Object.entries(STREAM_PATHS)) paths[path] = { ...paths[path], ...methods };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pinhole',
      version: VERSION,
      description: 'Explore code, agent sessions and disks in answers that fit.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: errorSchemas(),
      responses: errorResponses(),
      headers: Object.fromEntries(
        Object.entries(RATE_HEADERS).map(([name, description]) => [
          name,
          { description, schema: { type: 'integer' } },
        ]),
      ),
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Printed by: pinhole token' },
      },
    },
  };
}

/**
 * The name of the operation; further routes of it add their method or the words of their path. It does not depend on
 * the order of operations, so generated clients keep their method names.
 */
function idOf([{ method, path, operation }, ...others]: readonly [Route, ...Route[]], first?: Route): string {
  const words = path
    .split('/')
    .slice(2)
    .filter((part) => !part.startsWith('{'))
    .join('_')
    .replaceAll('-', '_');
  // Operations that share a path differ in a parameter, and are one to OpenAPI.
  if (others.length > 0) return words;
  if (first === undefined) return operation.name;
  return `${operation.name}_${first.path === path ? method.toLowerCase() : words}`;
}

function describe(group: readonly [Route, ...Route[]]): JsonSchema {
  const [{ method, path, operation }] = group;
  const operations = group.map((route) => route.operation);
  const formats = formatsOf(operation);
  const isList = formats.includes('csv');
  return {
    summary: operations.map(({ summary }) => summary).join(' '),
    'x-max-requests-per-minute': operation.perMinute ?? DEFAULT_PER_MINUTE,
    // The same call over MCP, where it is a tool.
    ...(operation.toolset !== undefined && { 'x-mcp-max-bytes': operation.glance ?? BUDGET.default }),
    ...(isList && { 'x-csv-columns': columnsOf(operation) }),
    parameters: [...parametersOf(group), ...answerParameters(formats)],
    ...(method === 'GET' || method === 'DELETE'
      ? {}
      : { requestBody: { content: { 'application/json': { schema: bodySchema(operation, path) } } } }),
    responses: {
      200: {
        description: 'The answer',
        headers: Object.fromEntries(
          Object.keys(RATE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
        // JSON alone: generated clients would take several types for a union that every caller must narrow.
        content: { 'application/json': { schema: anyOf(operations.map(outputJsonSchema)) } },
      },
      ...errorAnswers(),
    },
  };
}

/** What chooses the form of an answer. */
function answerParameters(formats: readonly RestFormat[]): readonly JsonSchema[] {
  return [
    {
      name: 'format',
      in: 'query',
      required: false,
      description: `form of the answer: ${formats.map((format) => `${format} is ${MEDIA_TYPES[format]}`).join(', ')}`,
      schema: { type: 'string', enum: formats, default: 'json' },
    },
    {
      name: 'max_bytes',
      in: 'query',
      required: false,
      description: 'how large the answer may be',
      schema: { type: 'integer', minimum: BUDGET.min, maximum: BUDGET.rest, default: BUDGET.rest },
    },
  ];
}

/** The input of an operation without what its path already has. */
function bodySchema(operation: Operation<never>, path: string): JsonSchema {
  const { properties = {}, required, ...rest } = inputJsonSchema(operation);
  const inPath = new Set(pathInputs(path));
  const needed = Array.isArray(required) ? required.filter((name) => !inPath.has(name)) : [];
  // JSON Schema made by zod: `properties` is an object.
  const fields = Object.entries(properties as JsonSchema).filter(([name]) => !inPath.has(name));
  return {
    ...rest,
    properties: Object.fromEntries(fields),
    ...(needed.length > 0 && { required: needed }),
  };
}

/** The inputs of all operations on a path, and what chooses among them. */
function parametersOf(group: readonly [Route, ...Route[]]): readonly JsonSchema[] {
  const [{ method, path, operation }] = group;
  const inPath = new Set(pathInputs(path));
  const inQuery = method === 'DELETE' || (method === 'GET' && operation.readOnly);
  const choices = [...new Set(group.flatMap(({ when }) => Object.keys(when)))].map((name) => ({
    name,
    in: 'query',
    required: false,
    description: 'which search; the first if it is left out',
    schema: { type: 'string', enum: group.flatMap(({ when }) => when[name] ?? []) },
  }));
  const fields = new Map<string, JsonSchema[]>();
  const required = new Set<string>();
  for (const route of group) {
    const schema = inputJsonSchema(route.operation);
    // JSON Schema made by zod: `properties` is an object.
    for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>))
      if (inPath.has(name) || inQuery) fields.set(name, [...(fields.get(name) ?? []), field]);
    if (group.length === 1 && Array.isArray(schema.required))
      for (const name of schema.required) required.add(name);
  }
  const inputs = [...fields].map(([name, schemas]) => ({
    name,
    in: inPath.has(name) ? 'path' : 'query',
    required: inPath.has(name) || required.has(name),
    description: schemas[0]?.description,
    schema: anyOf(schemas),
  }));
  return [...choices, ...inputs];
}

/** One schema for several; equal ones count once. */
function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only = {}] = different;
  return different.length > 1 ? { anyOf: different } : only;
}
