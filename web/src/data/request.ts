import { type ApiRoute, ROUTES } from '../../../src/http/routes.data.ts';
import type { InputOf, OperationName } from './operations.ts';

/** How to answer; not part of the operation's input. */
export interface AnswerForm {
  readonly format?: 'explain' | 'csv' | undefined;
  readonly maxBytes?: number | undefined;
  /** Read only, for an operation that can both read and change. */
  readonly reads?: boolean | undefined;
}

/** A call as the HTTP API takes it. */
export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Turns a call into a request: inputs named in the path go there, the others into the query, or into the body of a change. */
export function requestOf<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  form: AnswerForm = {},
): ApiRequest {
  const given = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const { method, path, when } = routeFor(name, given, form.reads === true);
  const url = path.replace(/\{(\w+)\}/g, (_, part: string) => {
    const value = encodeURIComponent(String(given.get(part)));
    given.delete(part);
    return value;
  });
  const inQuery = method === 'GET' || method === 'DELETE';
  const query = new URLSearchParams(when);
  if (inQuery) for (const [key, value] of given) appendTo(query, key, value);
  appendTo(query, 'format', form.format);
  appendTo(query, 'max_bytes', form.maxBytes);
  return {
    method,
    url: query.size === 0 ? url : `${url}?${query}`,
    body: inQuery ? undefined : Object.fromEntries(given),
  };
}

/** The address of a call that only reads. */
export function addressOf<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  form: AnswerForm = {},
): string {
  const { method, url } = requestOf(name, input, { ...form, reads: true });
  if (method !== 'GET') throw new Error(`${name} is not read with GET.`);
  return url;
}

/**
 * Of the routes whose path can be filled, the one with the most inputs in its path. If an operation both reads and
 * changes, its GET routes take only inputs from the path.
 */
function routeFor(name: string, given: ReadonlyMap<string, unknown>, reads: boolean): ApiRoute {
  const routes = ROUTES[name] ?? [];
  const changes = !reads && routes.some(({ method }) => method !== 'GET');
  const [best] = routes
    .map((route) => ({ route, inPath: [...route.path.matchAll(/\{(\w+)\}/g)].map(([, part = '']) => part) }))
    .filter(({ inPath }) => inPath.every((part) => given.has(part)))
    .filter(({ route, inPath }) => !changes || route.method !== 'GET' || inPath.length === given.size)
    .sort(
      (a, b) =>
        b.inPath.length - a.inPath.length ||
        Number(reads) * (Number(b.route.method === 'GET') - Number(a.route.method === 'GET')),
    );
  if (best === undefined) throw new Error(`${name} has no route for ${[...given.keys()].join(', ')}.`);
  return best.route;
}

/** Skips empty text; repeats the name for each item of a list; other objects become JSON. */
function appendTo(query: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === '') return;
  for (const one of Array.isArray(value) ? value : [value])
    query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
}
