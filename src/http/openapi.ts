import { BUDGET } from '../contract/caller.ts';
import { outputJsonSchema } from '../contract/envelope.ts';
import { errorJsonSchema } from '../contract/errors.ts';
import { inputJsonSchema } from '../contract/input.ts';
import type { Operation } from '../contract/operation.ts';
import { DEFAULT_PER_MINUTE } from '../contract/rate.ts';
import { VERSION } from '../contract/version.ts';
import { pathInputs, type Route, routeGroups } from './routes.ts';

type Json = Readonly<Record<string, unknown>>;

/** The headers of {@link rateHeaders}. */
const RATE_HEADERS: Readonly<Record<string, string>> = {
  'RateLimit-Limit': 'Calls of this operation per minute',
  'RateLimit-Remaining': 'Calls that are left',
  'RateLimit-Reset': 'Seconds until all of them are there again',
};

/** OpenAPI 3.1 for all REST routes, made from the operations. */
export function openApi(operations: readonly Operation<never>[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const seen = new Map<string, number>();
  for (const group of routeGroups(operations)) {
    const [{ method, path, operation }, ...others] = group;
    // Operations that share a path differ in a parameter, and are one to OpenAPI.
    const name = others.length === 0 ? operation.name : path.split('/').slice(2).join('_');
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    const operationId = number === 1 ? name : `${name}_${number}`;
    paths[path] = { ...paths[path], [method.toLowerCase()]: { operationId, ...describe(group) } };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pinhole',
      version: VERSION,
      description: 'Explore code, agent sessions and disks in answers that fit.',
    },
    security: [{ token: [] }],
    paths,
    components: {
      schemas: { Error: errorJsonSchema() },
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

function describe(group: readonly [Route, ...Route[]]): Json {
  const [{ method, operation }] = group;
  const operations = group.map((route) => route.operation);
  return {
    summary: operations.map(({ summary }) => summary).join(' '),
    'x-max-requests-per-minute': operation.perMinute ?? DEFAULT_PER_MINUTE,
    // The same call over MCP, where it is a tool.
    ...(operation.toolset !== undefined && { 'x-mcp-max-bytes': operation.glance ?? BUDGET.default }),
    parameters: parametersOf(group),
    ...(method === 'GET' || method === 'DELETE'
      ? {}
      : { requestBody: { content: { 'application/json': { schema: inputJsonSchema(operation) } } } }),
    responses: {
      200: {
        description: 'The answer',
        headers: Object.fromEntries(
          Object.keys(RATE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
        content: { 'application/json': { schema: anyOf(operations.map(outputJsonSchema)) } },
      },
      default: {
        description: 'An error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** The inputs of all operations on a path, and what chooses among them. */
function parametersOf(group: readonly [Route, ...Route[]]): readonly Json[] {
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
  const fields = new Map<string, Json[]>();
  for (const route of group) {
    const properties = (inputJsonSchema(route.operation).properties ?? {}) as Record<string, Json>;
    for (const [name, field] of Object.entries(properties))
      if (inPath.has(name) || inQuery) fields.set(name, [...(fields.get(name) ?? []), field]);
  }
  const inputs = [...fields].map(([name, schemas]) => ({
    name,
    in: inPath.has(name) ? 'path' : 'query',
    required: inPath.has(name),
    description: schemas[0]?.description,
    schema: anyOf(schemas),
  }));
  return [...choices, ...inputs];
}

/** One schema for several; equal ones count once. */
function anyOf(schemas: readonly Json[]): Json {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only = {}] = different;
  return different.length > 1 ? { anyOf: different } : only;
}
