import { findSecrets } from './redact/find.ts';
import { nameKind } from './redact/names.ts';
import { REACH } from './redact/reach.ts';
import { isSecretValue } from './redact/values.ts';

export { mayHoldSecret } from './redact/find.ts';
export { REACH, REACHING, reachesOver } from './redact/reach.ts';

// Taking one secret out can free the start of another that was glued to it; ordinary text never needs more rounds than this.
const MAX_ROUNDS = 8;
// No secret with its name or its telling start is shorter; most field names are.
const MIN_SECRET_CHARS = 12;

/**
 * Replaces keys, tokens, passwords and private keys by `[redacted:<kind>]`; doing it twice changes nothing more.
 *
 * @example redact('curl -u ann:hunter2 x') // 'curl -u ann:[redacted:password] x'
 */
export function redact(text: string): string {
  return replaced(text, (_secret, kind) => `[redacted:${kind}]`);
}

// What is known of a key: that it is one.
const BOUNDARY = /-----(?:BEGIN|END) [A-Z0-9 ]{0,40}-----/;
const MARKER = /\[redacted:[a-z0-9-]+\]/g;

/**
 * The same line for line: a secret over several lines leaves a marker on each of them, and the lines that begin and
 * end a private key stay, so that its place can be found.
 */
export function redactLines(text: string): string {
  return replaced(text, (secret, kind) =>
    secret.replace(/[^\r\n]+/g, (line) => {
      const boundary = secret.length > line.length ? BOUNDARY.exec(line)?.[0] : undefined;
      return boundary ?? `[redacted:${kind}]`;
    }),
  );
}

/** Some lines of a text, from 1 on, redacted together with what is around them. */
export function linesOf(text: string, first: number, last: number): readonly string[] {
  const start = lineStart(text, 0, first - 1);
  const end = lineStart(text, start, last - first + 1);
  const begin = start < REACH ? 0 : text.lastIndexOf('\n', start - REACH) + 1;
  const after = text.indexOf('\n', end + REACH);
  const window = text.slice(begin, after === -1 ? text.length : after);
  const lead = window.slice(0, start - begin).split('\n').length - 1;
  return redactLines(window)
    .split('\n')
    .slice(lead, lead + last - first + 1);
}

/** Where a line begins that comes this many lines after a place; the end of the text when there are fewer. */
function lineStart(text: string, from: number, lines: number): number {
  let at = from;
  for (let line = 0; line < lines; line++) {
    const newline = text.indexOf('\n', at);
    if (newline === -1) return text.length;
    at = newline + 1;
  }
  return at;
}

/** Where the markers are in a text. */
export function markersIn(text: string): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(MARKER)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
}

/**
 * The beginning of a text, redacted before it is cut: of a secret that the cut would divide, nothing is left. Looks
 * at little more than the beginning, unless there is a secret in it.
 */
export function redactThenCut(
  text: string,
  length: number,
  clean: (text: string) => string = redact,
): string {
  const head = text.slice(0, length + REACH);
  const cleanHead = clean(head);
  // What follows a secret moves up, and may have been cut itself.
  const all = cleanHead === head || head.length === text.length ? cleanHead : clean(text);
  return all.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** The text with spaces for its secrets: everything else, and every line, stays in its place. */
export function blankSecrets(text: string): string {
  return replaced(text, (secret) => secret.replace(/[^\r\n]/g, ' '));
}

/** The same with the usual markers where they fit, and no byte more or less. */
export function redactInPlace(text: string): string {
  return replaced(text, (secret, kind) => {
    const size = Buffer.byteLength(secret);
    const marker = `[redacted:${kind}]`;
    return marker.length <= size ? marker.padEnd(size) : '*'.repeat(size);
  });
}

function replaced(text: string, by: (secret: string, kind: string) => string): string {
  let clean = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const findings = findSecrets(clean);
    if (findings.length === 0) break;
    let next = '';
    let at = 0;
    for (const { start, end, kind } of findings) {
      next += clean.slice(at, start) + by(clean.slice(start, end), kind);
      at = end;
    }
    clean = next + clean.slice(at);
  }
  return clean;
}

/** `redact` for every string of JSON-like data, where a field's name counts too; the same object when nothing changed. */
export function redactDeep<T>(value: T): T {
  return redactValue(value, undefined) as T; // only strings are exchanged for strings, so the shape is the same
}

function redactValue(value: unknown, name: string | undefined): unknown {
  if (typeof value === 'string') return redactField(value, name);
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const clean = redactValue(item, name);
      if (clean === item) continue;
      copy ??= [...value];
      copy[index] = clean;
    }
    return copy ?? value;
  }
  if (typeof value === 'object' && value !== null) return redactFields(value);
  return value;
}

/** Nearly always nothing changes, so nothing is copied until something does. */
function redactFields(value: object): object {
  let entries: [string, unknown][] | undefined;
  for (const [index, field] of Object.keys(value).entries()) {
    const item: unknown = Reflect.get(value, field);
    const cleanField = field.length < MIN_SECRET_CHARS ? field : redact(field);
    const clean = redactValue(item, field === 'value' ? pairedName(value) : field);
    if (clean === item && cleanField === field) continue;
    entries ??= Object.entries(value);
    entries[index] = [cleanField, clean];
  }
  return entries === undefined ? value : Object.fromEntries(entries);
}

// `{ "name": "DB_PASSWORD", "value": "…" }`
function pairedName(pair: object): string | undefined {
  const name = 'name' in pair ? pair.name : 'key' in pair ? pair.key : undefined;
  return typeof name === 'string' ? name : undefined;
}

function redactField(text: string, name: string | undefined): string {
  const clean = redact(text);
  if (clean !== text || name === undefined) return clean;
  const kind = nameKind(name);
  return kind !== undefined && isSecretValue(kind, text, 'quoted', '') ? `[redacted:${kind}]` : text;
}
