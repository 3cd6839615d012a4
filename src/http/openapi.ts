import { outputJsonSchema } from '../contract/envelope.ts';
import { errorJsonSchema } from '../contract/errors.ts';
import { inputJsonSchema } from '../contract/input.ts';
import type { Operation } from '../contract/operation.ts';
import { VERSION } from '../contract/version.ts';
import { pathInputs, routesOf } from './routes.ts';

type Json = Readonly<Record<string, unknown>>;

/** OpenAPI 3.1 for all REST routes, made from the operations. */
export function openApi(operations: readonly Operation<never>[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const seen = new Map<string, number>();
  for (const { method, path: plain, when, operation } of routesOf(operations)) {
    // OpenAPI cannot choose a route by query, so such routes are listed with their query.
    const query = new URLSearchParams(when).toString();
    const path = query === '' ? plain : `${plain}?${query}`;
    const number = seen.get(operation.name) ?? 0;
    seen.set(operation.name, number + 1);
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(method, path, operation, number) };
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
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'Printed by: pinhole token' },
      },
    },
  };
}

function describe(method: string, path: string, operation: Operation<never>, number: number): Json {
  const schema = inputJsonSchema(operation);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const inPath = new Set(pathInputs(path));
  const changes = method !== 'GET';
  const inQuery = method === 'DELETE' || (!changes && operation.readOnly);
  const parameters = properties
    .filter(([name]) => inPath.has(name) || inQuery)
    .map(([name, field]) => ({
      name,
      in: inPath.has(name) ? 'path' : 'query',
      required: inPath.has(name),
      description: field.description,
      schema: field,
    }));
  return {
    operationId: number === 0 ? operation.name : `${operation.name}_${number + 1}`,
    summary: operation.summary,
    parameters,
    ...(changes && method !== 'DELETE'
      ? { requestBody: { content: { 'application/json': { schema } } } }
      : {}),
    responses: {
      200: {
        description: 'The answer',
        content: { 'application/json': { schema: outputJsonSchema(operation) } },
      },
      default: {
        description: 'An error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}
