import { isAlphanumeric, tokenStart } from './characters.ts';
import type { Finding, Trigger } from './finding.ts';

const KIND = 'private-key';
/** A key is looked for over this many characters. */
export const MAX_KEY_CHARS = 20_000;
const HEADER = /-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}$/;
const FOOTER = /-----END (?:[A-Z0-9]{2,12} ){0,2}$/;
const REST_OF_LINE = /PRIVATE KEY(?: BLOCK)?-----/y;
const END_LINE = /-----END [A-Z0-9 ]{0,40}-----/y;
const BODY_PIECE = /[A-Za-z0-9+/]{16}/;
const ENCRYPTION_HEADERS =
  /(?:[^A-Za-z]{0,8}(?:\\r)?(?:\\n)?(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{0,100})+/y;

/** Finds a PEM, OpenSSH or PGP private key from its BEGIN line, or from its END line when the start is cut off. */
function privateKey(text: string, at: number): Finding | undefined {
  REST_OF_LINE.lastIndex = at;
  if (!REST_OF_LINE.test(text)) return undefined;
  const lineEnd = REST_OF_LINE.lastIndex;
  const before = text.slice(Math.max(0, at - 40), at);
  const header = HEADER.exec(before)?.[0];
  if (header !== undefined) {
    const end = wholeBody(text, lineEnd) ?? cutBody(text, lineEnd);
    return end === undefined ? undefined : { start: at - header.length, end, kind: KIND };
  }
  const footer = FOOTER.exec(before)?.[0];
  if (footer === undefined) return undefined;
  const footerAt = at - footer.length;
  const start = walkBody(text, footerAt, -1);
  return footerAt - start < 40 ? undefined : { start, end: lineEnd, kind: KIND };
}

// Looks no further than the next dashes, so that many BEGIN lines cost no more than their text.
function wholeBody(text: string, from: number): number | undefined {
  const length = text.slice(from, from + MAX_KEY_CHARS).indexOf('-----');
  if (length < 0 || !BODY_PIECE.test(text.slice(from, from + length))) return undefined;
  END_LINE.lastIndex = from + length;
  return END_LINE.test(text) ? END_LINE.lastIndex : undefined;
}

function cutBody(text: string, from: number): number | undefined {
  ENCRYPTION_HEADERS.lastIndex = from;
  const bodyAt = ENCRYPTION_HEADERS.test(text) ? ENCRYPTION_HEADERS.lastIndex : from;
  const end = walkBody(text, bodyAt, 1);
  return end - bodyAt < 40 ? undefined : end;
}

/**
 * Walks over lines of base64 and returns where they end (or start, going back). Between two lines stand
 * line ends, plain or escaped, and what tools put in front of lines: numbers, diff and quote marks.
 */
function walkBody(text: string, from: number, step: 1 | -1): number {
  let edge = from;
  let at = from;
  const limit = from + step * MAX_KEY_CHARS;
  const code = (index: number): number => text.charCodeAt(step === 1 ? index : index - 1);
  while (at !== limit) {
    const gapAt = at;
    while (Math.abs(at - gapAt) < 8 && !Number.isNaN(code(at)) && !isBase64(code(at))) at += step;
    const lineAt = at;
    while (at !== limit && isBase64(code(at))) at += step;
    const length = Math.abs(at - lineAt);
    const isLine = length >= 16 || (step === -1 && edge === from && length > 0);
    if (isLine) edge = at;
    else if (length === 0 || length > 6) break;
    else if (!/^[0-9]+$/.test(step === 1 ? text.slice(lineAt, at) : text.slice(at, lineAt))) break;
  }
  return edge;
}

function isBase64(code: number): boolean {
  return isAlphanumeric(code) || code === 43 || code === 47 || code === 61;
}

// A key in PEM form that was encoded once more, as Kubernetes does: `-----BEGIN` in base64.
const ENCODED = /[A-Za-z0-9+/]{64,20000}={0,2}/y;

function encodedPrivateKey(text: string, at: number): Finding | undefined {
  if (tokenStart(text, at) === undefined || !/^[A-Za-z0-9+/]{64}$/.test(text.slice(at, at + 64)))
    return undefined;
  if (!atob(text.slice(at, at + 64)).includes('PRIVATE KEY')) return undefined;
  ENCODED.lastIndex = at;
  return ENCODED.test(text) ? { start: at, end: ENCODED.lastIndex, kind: KIND } : undefined;
}

function bareOpenSsh(text: string, at: number): Finding | undefined {
  const end = tokenStart(text, at) !== undefined ? walkBody(text, at, 1) : at;
  return end - at < 60 ? undefined : { start: at, end, kind: KIND };
}

// PuTTY writes how many lines the private part has, then the lines.
const PUTTY_LINES = /Private-Lines: [0-9]{1,3}/y;

function puttyKey(text: string, at: number): Finding | undefined {
  PUTTY_LINES.lastIndex = at;
  if (!PUTTY_LINES.test(text)) return undefined;
  const start = PUTTY_LINES.lastIndex;
  const end = walkBody(text, start, 1);
  return end - start < 40 ? undefined : { start, end, kind: KIND };
}

/** Triggers for private keys. */
export const PRIVATE_KEY_TRIGGERS: readonly Trigger[] = [
  { word: 'PRIVATE KEY', detect: privateKey },
  { word: 'Private-Lines: ', detect: puttyKey },
  { word: 'LS0tLS1CRUdJTi', detect: encodedPrivateKey },
  { word: 'b3BlbnNzaC1rZXktdjE', detect: bareOpenSsh },
];
