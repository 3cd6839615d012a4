import { type Finding, presetHandlers } from './redact/preset.ts';

interface Rule {
  readonly kind: string;
  readonly pattern: RegExp; // with d: group 1, or the whole match, is the secret
}

const RULES: readonly Rule[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----[^-]{40,20000}-----END [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----/dg,
  },
  { kind: 'jwt', pattern: /eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}/dg },
  { kind: 'aws-access-key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/dg },
  { kind: 'anthropic-key', pattern: /\bsk-ant-[\w-]{24,}/dg },
  { kind: 'openai-key', pattern: /\bsk-(?:proj-|svcacct-|admin-)?(?=[\w-]*\d)[\w-]{24,}/dg },
  { kind: 'google-key', pattern: /\bAIza[\w-]{35}/dg },
  { kind: 'pypi-token', pattern: /\bpypi-[\w-]{50,}/dg },
  { kind: 'huggingface-token', pattern: /\bhf_[A-Za-z0-9]{30,}/dg },
  { kind: 'gitlab-token', pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent)-[\w-]{20,}/dg },
  { kind: 'bearer-token', pattern: /\bBearer\s{1,4}((?=[\w.~+/-]*\d)[\w.~+/-]{20,}=*)/dg },
  { kind: 'basic-auth', pattern: /\bAuthorization\W{1,6}Basic\s{1,4}([A-Za-z0-9+/]{8,}=*)/dgi },
  { kind: 'url-password', pattern: /:\/\/[^\s:@/"'\\]{0,100}:([^\s@/"'\\${}<>*[\]]{3,200})@/dg },
  {
    kind: 'password',
    pattern:
      /(?:passw(?:or)?d|passphrase|secret)\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']([^\s"'\\${}<>*[\]]{6,200})\\{0,3}["']/dgi,
  },
  {
    kind: 'password',
    pattern:
      /(?:passw(?:or)?d|secret|token|api_key)=(?=[^\s"'&]{0,100}\d)([^\s"'\\${}<>*[\]().,;&]{6,200})/dgi,
  },
];

/** Replaces keys, tokens, passwords and private keys by `[redacted:<kind>]`. */
export function redact(text: string): string {
  const findings = findSecrets(text);
  if (findings.length === 0) return text;
  let out = '';
  let at = 0;
  for (const { start, end, kind } of findings) {
    out += `${text.slice(at, start)}[redacted:${kind}]`;
    at = end;
  }
  return out + text.slice(at);
}

/** `redact` on every string of JSON-like data; the same object comes back when nothing was found. */
export function redactDeep<T>(value: T): T {
  return redactValue(value) as T; // the shape is kept: only strings change
}

/** How many secrets of each kind the text holds, without showing them. */
export function countSecrets(text: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of findSecrets(text)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function findSecrets(text: string): Finding[] {
  const found: Finding[] = [];
  for (const handler of presetHandlers().values()) found.push(...handler(text));
  for (const { kind, pattern } of RULES) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? match.indices?.[0] ?? [0, 0];
      found.push({ start, end, kind });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let at = 0;
  return found.filter(({ start, end }) => {
    if (start < at || end === start) return false;
    at = end;
    return true;
  });
}

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const clean = redactValue(item);
      if (clean === item) continue;
      copy ??= [...value];
      copy[index] = clean;
    }
    return copy ?? value;
  }
  if (typeof value === 'object' && value !== null) {
    let copy: Record<string, unknown> | undefined;
    for (const [name, item] of Object.entries(value)) {
      const clean = redactValue(item);
      if (clean === item) continue;
      copy ??= { ...value };
      copy[name] = clean;
    }
    return copy ?? value;
  }
  return value;
}
