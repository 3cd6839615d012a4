import { toJson } from './bytes.ts';
import type { Door } from './caller.ts';
import type { NextCall } from './next-call.ts';
import type { Operation } from './operation.ts';

type Declared = Pick<Operation<never>, 'name' | 'command' | 'http'>;

/** Puts a call into the words of one door. */
export type CallWords = (call: NextCall) => string;

/** How calls are written at each door: a tool call, a command to type, a request to send. */
export function callWords(door: Door, declared: (operation: string) => Declared | undefined): CallWords {
  return (call) => {
    const operation = declared(call.operation);
    if (door === 'cli') return asCommand(call, operation);
    if (door === 'mcp') return asToolCall(call);
    const href = requestOf(call, operation);
    return href === undefined ? asToolCall(call) : href;
  };
}

/** `get_turn_steps session_id=5e55a001 turn_index=2` */
function asToolCall({ operation, input }: NextCall): string {
  return [operation, ...given(input).map(([name, value]) => `${name}=${quoted(value, /^[^\s"'=]+$/)}`)].join(
    ' ',
  );
}

/** `pinhole sessions steps 5e55a001 2` */
function asCommand({ operation, input }: NextCall, declared: Declared | undefined): string {
  const words = ['pinhole', declared?.command?.words ?? operation.replaceAll('_', '-')];
  const rest = new Map(given(input));
  for (const place of declared?.command?.positional ?? []) {
    const value = rest.get(place);
    if (value === undefined) break;
    words.push(shellWord(value));
    rest.delete(place);
  }
  for (const [name, value] of rest) {
    const flag = name.replaceAll('_', '-');
    if (value === true) words.push(`--${flag}`);
    else if (value === false) words.push(`--no-${flag}`);
    else words.push(`--${flag}`, shellWord(value));
  }
  return words.join(' ');
}

/** `GET /api/agent-sessions/5e55a001/turns/2/steps`, or undefined for an operation that has no route. */
export function requestOf({ input }: NextCall, declared: Declared | undefined): string | undefined {
  const route = routeFor(declared, input);
  if (route === undefined) return undefined;
  const [method = 'GET', template = ''] = route.split(' ');
  const rest = new Map(given(input));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams(
    Object.fromEntries([...rest].map(([name, value]) => [name, plain(value)])),
  ).toString();
  const link = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
  return method === 'GET' ? link : `${method} ${link}`;
}

/** The path of the next page of a list, or undefined where no GET request returns it. */
export function nextPage(declared: Declared, input: NextCall['input'], cursor: string): string | undefined {
  const inPath = namesIn(routeFor(declared, input) ?? '').map((name) => [name, input[name]]);
  const request = requestOf(
    { operation: declared.name, input: { ...Object.fromEntries(inPath), cursor } },
    declared,
  );
  return request?.startsWith('/') ? request : undefined;
}

/** The first route whose path the input can fill: some operations answer for one thing and for all. */
function routeFor(declared: Declared | undefined, input: NextCall['input']): string | undefined {
  const routes = [declared?.http ?? []].flat();
  return routes.find((route) => namesIn(route).every((name) => input[name] !== undefined));
}

function namesIn(route: string): readonly string[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function given(input: NextCall['input']): [string, unknown][] {
  return Object.entries(input).filter(([, value]) => value !== undefined);
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value);
}

function quoted(value: unknown, bare: RegExp): string {
  const text = plain(value);
  return typeof value !== 'string' || bare.test(text) ? text : toJson(value);
}

function shellWord(value: unknown): string {
  const text = plain(value);
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
