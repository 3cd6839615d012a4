import type { Context, Hono } from 'hono';
import { argumentsFromText } from '../contract/arguments.ts';
import { BUDGET, type Caller } from '../contract/caller.ts';
import type { Engine } from '../contract/engine.ts';
import { ERROR_STATUS, fail, PinholeError } from '../contract/errors.ts';
import { isObject } from '../contract/guards.ts';
import { inputFacts, type RawInput } from '../contract/input.ts';
import type { Operation } from '../contract/operation.ts';
import { zoneNamed } from '../contract/zone.ts';
import { askedFormat, type RestFormat } from './formats.ts';
import { isPerson, originOf } from './person.ts';
import { rateHeaders } from './rate-headers.ts';
import { type Route, routeGroups, routesOf } from './routes.ts';
import { streamAll } from './stream-all.ts';

/** Query parameters that choose the form of the answer; they are not inputs. */
const ANSWER_PARAMETERS = new Set(['format', 'max_bytes']);

/** Serves the REST routes that operations declare. */
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
        headers: { 'content-type': `${type}; charset=utf-8`, ...rateHeaders(answer) },
      });
    });
  }
}

function chosenRoute(group: readonly [Route, ...Route[]], query: Readonly<Record<string, string>>): Route {
  const fits = ({ when }: Route) => Object.entries(when).every(([name, value]) => query[name] === value);
  const chosen = group.find(fits);
  if (chosen !== undefined) return chosen;
  // The first answers if nothing was chosen; a wrong choice is a mistake.
  for (const name of new Set(group.flatMap(({ when }) => Object.keys(when))))
    if (query[name] !== undefined)
      fail(
        'invalid_parameter',
        `${name} must be one of ${group.flatMap(({ when }) => when[name] ?? []).join(', ')}.`,
      );
  return group[0];
}

const isRead = (c: Context) => c.req.method === 'GET' || c.req.method === 'HEAD';

/** Following a link must be harmless, so a GET passes no input to an operation that can change something. */
function refuseChange(
  c: Context,
  { operation, path, method }: Route,
  operations: readonly Operation<never>[],
): void {
  if (operation.readOnly) return;
  const given = Object.keys(c.req.query()).find((name) => !ANSWER_PARAMETERS.has(name));
  if (given === undefined) return;
  const others = routesOf(operations).filter((route) => route.path === path && route.method !== method);
  const how = others.map((route) => `${route.method} ${path}`).join(' or ');
  fail(
    'invalid_parameter',
    `A GET request cannot change anything. Send '${given.slice(0, 40)}' with ${how}.`,
  );
}

async function readInput(c: Context, { operation, when }: Route): Promise<RawInput> {
  const words: Record<string, string | string[]> = {};
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (!ANSWER_PARAMETERS.has(name) && !(name in when))
      words[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  const fromPath = argumentsFromText(inputFacts(operation), c.req.param());
  return { ...argumentsFromText(inputFacts(operation), words), ...(await readBody(c)), ...fromPath };
}

async function readBody(c: Context): Promise<RawInput> {
  if (isRead(c)) return {};
  const text = await c.req.text();
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) return { ...body };
  } catch {
    // Reported below, like everything that is not an object.
  }
  throw new PinholeError('invalid_parameter', 'The body must be a JSON object.');
}

/** Who asks over REST, and the form of the answer. */
export function restCaller(c: Context, format: RestFormat): Caller {
  const client = (c.req.header('x-pinhole-client') ?? c.req.header('user-agent') ?? 'rest').slice(0, 80);
  const person = isPerson(c);
  const holder = c.get('holder');
  // Browsers have long names; it is the page that asks.
  const program = person || c.get('who') === 'guest' ? 'page' : client;
  const asked = Number(c.req.query('max_bytes'));
  return {
    door: person ? 'page' : 'rest',
    client: (holder === undefined ? '' : `${holder.name}: `) + program,
    // A new connection or another name of the program is not another caller.
    id: `http#${c.get('proof')}`,
    roots: [],
    origin: originOf(c),
    budget: asked >= BUDGET.min && asked <= BUDGET.rest ? asked : BUDGET.rest,
    format: format === 'text' ? 'text' : 'json',
    zone: zoneNamed(c.req.header('x-pinhole-zone') ?? ''),
    flat: format === 'csv',
    explain: format === 'explain',
    reader: c.get('who') === 'reader',
    ...(holder && { sees: holder.projects ?? 'all' }),
    ...(holder?.scopes.includes('admin') === false && { ownCallsOf: holder.name }),
  };
}
