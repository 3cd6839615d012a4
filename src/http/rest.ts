import type { Context, Hono } from 'hono';
import { argumentsFromText } from '../contract/arguments.ts';
import { BUDGET, type Caller } from '../contract/caller.ts';
import type { Engine } from '../contract/engine.ts';
import { ERROR_STATUS, fail, PinholeError } from '../contract/errors.ts';
import { isObject } from '../contract/guards.ts';
import type { RawInput } from '../contract/input.ts';
import type { Operation } from '../contract/operation.ts';
import { connectionOf } from './connection.ts';
import { askedFormat, type RestFormat } from './formats.ts';
import { isPerson } from './person.ts';
import { type Route, routeGroups, routesOf } from './routes.ts';
import { streamAll } from './stream-all.ts';

/** Query names that say how to answer and are not inputs. */
const ABOUT_ANSWER = new Set(['format', 'max_bytes']);

/** One route for each operation that declares one. */
export function restRoutes(app: Hono, engine: Engine, operations: readonly Operation<never>[]): void {
  for (const group of routeGroups(operations)) {
    const [{ method, path }] = group;
    app.on(method, path.replace(/\{(\w+)\}/g, ':$1'), async (c) => {
      const route = chosenRoute(group, c.req.query());
      const { operation } = route;
      const format = askedFormat(operation, c.req.queries('format'));
      if (isRead(c)) refuseChange(c, route, operations);
      const input = await readInput(c, route);
      const caller = restCaller(c, format);
      const { signal } = c.req.raw;
      if (format === 'csv' || format === 'ndjson') {
        return streamAll(engine, operation, input, { caller, signal }, format);
      }
      const answer = await engine.run(operation.name, input, { caller, signal });
      const status = answer.ok ? 200 : ERROR_STATUS[answer.error.code];
      const type = answer.ok && caller.format === 'text' ? 'text/plain' : 'application/json';
      return new Response(answer.rendered.text, {
        status,
        headers: { 'content-type': `${type}; charset=utf-8` },
      });
    });
  }
}

function chosenRoute(group: readonly [Route, ...Route[]], query: Readonly<Record<string, string>>): Route {
  const fits = ({ when }: Route) => Object.entries(when).every(([name, value]) => query[name] === value);
  return group.find(fits) ?? group[0];
}

const isRead = (c: Context) => c.req.method === 'GET' || c.req.method === 'HEAD';

/** What a link can ask for must be harmless: where an operation may change something, it is given no input by GET. */
function refuseChange(
  c: Context,
  { operation, path, method }: Route,
  operations: readonly Operation<never>[],
): void {
  if (operation.readOnly) return;
  const given = Object.keys(c.req.query()).find((name) => !ABOUT_ANSWER.has(name));
  if (given === undefined) return;
  const others = routesOf(operations).filter((route) => route.path === path && route.method !== method);
  const how = others.map((route) => `${route.method} ${path}`).join(' or ');
  fail('invalid_parameter', `A GET changes nothing; send '${given.slice(0, 40)}' with ${how}.`);
}

async function readInput(c: Context, { operation, when }: Route): Promise<RawInput> {
  const words: Record<string, string | string[]> = {};
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (!ABOUT_ANSWER.has(name) && !(name in when))
      words[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  const fromPath = argumentsFromText(operation, c.req.param());
  return { ...argumentsFromText(operation, words), ...(await readBody(c)), ...fromPath };
}

async function readBody(c: Context): Promise<RawInput> {
  if (isRead(c)) return {};
  const text = await c.req.text();
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) return { ...body };
  } catch {
    // Said below, the same for everything that is no object.
  }
  throw new PinholeError('invalid_parameter', 'The body must be a JSON object.');
}

/** Who asks over REST, and how the answer shall look. */
export function restCaller(c: Context, format: RestFormat): Caller {
  const client = (c.req.header('x-pinhole-client') ?? c.req.header('user-agent') ?? 'rest').slice(0, 80);
  const person = isPerson(c);
  const asked = Number(c.req.query('max_bytes'));
  return {
    door: person ? 'page' : 'rest',
    client: person || c.get('who') === 'guest' ? 'page' : client,
    id: `${client}#${connectionOf(c)}`,
    roots: [],
    budget: asked >= BUDGET.min && asked <= BUDGET.rest ? asked : BUDGET.rest,
    format: format === 'text' ? 'text' : 'json',
    flat: format === 'csv',
    explain: format === 'explain',
  };
}
