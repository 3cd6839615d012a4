import { looksRandom } from './characters.ts';
import type { Finding, Trigger } from './finding.ts';

const BEARER = /bearer[ \t]{1,3}([A-Za-z0-9._~+/-]{16,4000}={0,2})/iy;
const BASIC = /basic[ \t]{1,3}([A-Za-z0-9+/]{8,400}={0,2})/iy;
const AUTHORIZATION =
  /authorization\\{0,7}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,7}["']?(?:[A-Za-z]{3,12}[ \t]{1,3})?([A-Za-z0-9._~+/-]{16,4000}={0,2})/iy;

/** A random token after `Bearer`. */
function bearer(text: string, at: number): Finding | undefined {
  return randomToken(BEARER, text, at);
}

/** Any other random token in an `Authorization` header, with its scheme or without. */
function authorization(text: string, at: number): Finding | undefined {
  return randomToken(AUTHORIZATION, text, at);
}

function randomToken(pattern: RegExp, text: string, at: number): Finding | undefined {
  pattern.lastIndex = at;
  const token = pattern.exec(text)?.[1];
  if (token === undefined || !looksRandom(token.slice(0, 80))) return undefined;
  return { start: pattern.lastIndex - token.length, end: pattern.lastIndex, kind: 'bearer', vague: true };
}

/** `Basic dXNlcjpwYXNz`: base64 of a name, a colon and a password. */
function basic(text: string, at: number): Finding | undefined {
  BASIC.lastIndex = at;
  const encoded = BASIC.exec(text)?.[1];
  if (encoded === undefined || !isNameAndPassword(encoded)) return undefined;
  return { start: BASIC.lastIndex - encoded.length, end: BASIC.lastIndex, kind: 'basic-auth' };
}

function isNameAndPassword(encoded: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(encoded, 'base64').toString('latin1'));
}

// npm and docker keep name and password in base64 under `auth`.
const STORED = /auth\\{0,7}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,7}["']?([A-Za-z0-9+/]{8,400}={0,2})/y;

function storedAuth(text: string, at: number): Finding | undefined {
  STORED.lastIndex = at;
  const encoded = STORED.exec(text)?.[1];
  if (encoded === undefined || !isNameAndPassword(encoded)) return undefined;
  return { start: STORED.lastIndex - encoded.length, end: STORED.lastIndex, kind: 'basic-auth' };
}

const USER_INFO = /:\/\/([^\s:@/?#"'`\\<>]{0,200})(?::([^\s@/"'`\\<>]{1,300}))?@/y;
/** What is in the place of a password and is not one: a placeholder, a variable, a marker of ours. */
export const NO_PASSWORD =
  /^(?:pass(?:word|wd)?|pwd|redacted|secret_access_key|x+|\*+|\.+|…)$|[${}[\]%]\w*[${}[\]%]|^\$|^\[redacted|&[lg]t;/i;

// Passwords in addresses of databases are written as they are, with `@` and `/` in them.
const DATABASE_INFO =
  /:\/\/([^\s:@/?#"'`\\<>]{0,200}):([^\s,"'`\\<>]{1,200})@(?=[\w.-]{1,200}(?::\d{1,5})?(?:[/?"'\\,;)\]\s]|$))/y;
const DATABASE =
  /(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|clickhouse)(?:\+\w{1,12})?$/i;

/** A password with signs that other addresses do not allow. */
function databasePassword(text: string, at: number): Finding | undefined {
  if (!DATABASE.test(text.slice(Math.max(0, at - 24), at))) return undefined;
  DATABASE_INFO.lastIndex = at;
  const password = DATABASE_INFO.exec(text)?.[2];
  if (password === undefined || password.length < 3 || !/[@/]/.test(password) || NO_PASSWORD.test(password))
    return undefined;
  const end = DATABASE_INFO.lastIndex - 1;
  return { start: end - password.length, end, kind: 'url-password', vague: true };
}

/** The password of an address, or a token that stands for name and password. */
function addressPassword(text: string, at: number): Finding | undefined {
  const ofDatabase = databasePassword(text, at);
  if (ofDatabase !== undefined) return ofDatabase;
  USER_INFO.lastIndex = at;
  const match = USER_INFO.exec(text);
  if (match === null) return undefined;
  const [, user = '', password] = match;
  const end = USER_INFO.lastIndex - 1;
  if (password !== undefined) {
    if (password.length < 3 || NO_PASSWORD.test(password)) return undefined;
    return { start: end - password.length, end, kind: 'url-password', vague: true };
  }
  if (user.length < 20 || !looksRandom(user)) return undefined;
  return { start: end - user.length, end, kind: 'url-password', vague: true };
}

// `Cookie: theme=dark; session=…`: the parts whose name says that they let somebody in.
const COOKIE =
  /cookie\\{0,7}["']?[ \t]{0,4}[:=][^\n]{0,400}?[\s;"':](?:[\w-]{0,24}(?:sess|sid|auth|token|jwt)[\w-]{0,24})=([\w.%+/~-]{16,2000}={0,2})/iy;

function cookie(text: string, at: number): Finding | undefined {
  COOKIE.lastIndex = at;
  const value = COOKIE.exec(text)?.[1];
  if (value === undefined || !looksRandom(value.slice(0, 80))) return undefined;
  return { start: COOKIE.lastIndex - value.length, end: COOKIE.lastIndex, kind: 'cookie', vague: true };
}

/** Triggers for credentials in headers and addresses. */
export const HEADER_TRIGGERS: readonly Trigger[] = [
  { word: 'bearer', anyCase: true, detect: bearer },
  { word: 'basic', anyCase: true, detect: basic },
  { word: 'auth', anyCase: true, detect: storedAuth },
  { word: '://', detect: addressPassword },
  { word: 'authorization', anyCase: true, detect: authorization },
  { word: 'cookie', anyCase: true, detect: cookie },
];
