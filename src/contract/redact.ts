import { findSecrets } from './redact/find.ts';
import { nameKind } from './redact/names.ts';
import { isSecretValue } from './redact/values.ts';

export { mayHoldSecret } from './redact/find.ts';

// Taking one secret out can free the start of another that was glued to it; more rounds than this is no text.
const ROUNDS = 8;
// No secret with its name or its telling start is shorter; most field names are.
const SHORTEST = 12;

/**
 * Replaces keys, tokens, passwords and private keys by `[redacted:<kind>]`; doing it twice changes nothing more.
 *
 * @example redact('curl -u ann:hunter2 x') // 'curl -u ann:[redacted:password] x'
 */
export function redact(text: string): string {
  return replaced(text, (_secret, kind) => `[redacted:${kind}]`);
}

/** The text with spaces for its secrets: everything else, and every line, stays in its place. */
export function blankSecrets(text: string): string {
  return replaced(text, (secret) => secret.replace(/[^\r\n]/g, ' '));
}

function replaced(text: string, by: (secret: string, kind: string) => string): string {
  let clean = text;
  for (let round = 0; round < ROUNDS; round++) {
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

/** How many secrets of each kind the text holds, without showing them. */
export function countSecrets(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of findSecrets(text)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
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
  if (typeof value === 'object' && value !== null) {
    let changed = false;
    const entries = Object.entries(value).map(([field, item]): [string, unknown] => {
      const cleanField = field.length < SHORTEST ? field : redact(field);
      const clean = redactValue(item, field === 'value' ? pairedName(value) : field);
      changed ||= clean !== item || cleanField !== field;
      return [cleanField, clean];
    });
    return changed ? Object.fromEntries(entries) : value;
  }
  return value;
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
