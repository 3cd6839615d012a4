import { behindGlue, isWordCode } from './characters.ts';
import type { Detector, Trigger } from './finding.ts';
import { type NameKind, nameKind } from './names.ts';
import { readValue } from './read-value.ts';
import { isSecretValue, type ValueForm } from './values.ts';

const MAX_NAME_CHARS = 64;

interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: NameKind;
}

/** Where a value starts, and how it follows its name. */
interface Place {
  readonly from: number;
  readonly form: ValueForm;
}

// From the end of the name to the value: a closing quote (plain or escaped) and bracket, then one of
// `=`, `:`, `:=`, `=>`, `==`, `: type =`.
const ASSIGN =
  /\\{0,7}["'`]?\]?[ \t]{0,8}(?::[ \t]?&?[A-Za-z][\w.<>?]{0,24}[ \t]?=(?!=)|={1,3}>?|:=?)[ \t]{0,8}/y;
// `"name":"DB_PASSWORD","value":"…"` and `key="Password" value="…"`.
const PAIR = /\\{0,7}["'],?\s{0,8}\\{0,7}["']?value\\{0,7}["']?[ \t]{0,2}[:=][ \t]{0,2}/iy;
// `define('DB_PASSWORD', '…')`, `headers.set("X-Api-Key", "…")`.
const SETTER = /(?:define|put\w{0,12}|set\w{0,12}|append|header)\(\s{0,4}\\{0,7}["'`]$/i;
const SECOND_ARGUMENT = /\\{0,7}["'`],\s{0,4}(?=\\{0,7}["'`])/y;
const MACRO = /#[ \t]{0,4}define[ \t]{1,4}$/;
const SPOKEN = /[ \t](?:is|ist|est|es|lautet)(?:[ \t]?:)?[ \t]/y;
const SPOKEN_KEY = /(?:[ \t]access)?(?:[ \t](?:key|token|value))?[ \t](?:is|ist|est|es)(?:[ \t]?:)?[ \t]/y;
// `variable "db_password" { … default = "…" }`
const TERRAFORM = /\\{0,7}"\s{0,4}\{[^}]{0,200}?default[ \t]{0,12}=[ \t]{0,4}/y;
// Between two words of a .netrc file: space, line ends (also escaped), and what listings put in front of lines.
const NETRC = /(?:login|machine|account)[ \t]{1,12}[^\s\\]{1,100}(?:\\{1,4}[nrt]|[^A-Za-z\\]){1,24}$/;

/** Finds the value that follows a name such as `password`, `clientSecret` or `API_KEY`. */
const assignment: Detector = (text, at) => {
  const end = endOfName(text, at);
  if (!DELIMITERS.has(text.charCodeAt(end))) return undefined;
  const start = startOfName(text, at);
  // `https://x-access-token:…@host` is an address.
  if (text.startsWith('://', start - 3)) return undefined;
  const name = text.slice(start, end);
  const kind = nameKind(name);
  if (kind === undefined) return undefined;
  const place = placeOfValue(text, { text: name, start, end, kind });
  const value = place === undefined ? undefined : readValue(text, place.from, place.form);
  if (place === undefined || value === undefined) return undefined;
  // `"PWD="+dir`: the quote after the name ends the string that the name begins.
  if (value.quoted && text[end] === '=' && text[start - 1] === text[value.start - 1]) return undefined;
  const form = value.quoted ? 'quoted' : place.form;
  // Test runners print `PASS: name`.
  if (form === 'loose' && /^pass$/i.test(name)) return undefined;
  const content = text.slice(value.start, value.end);
  if (!isSecretValue(kind, content, form, text.slice(value.end, value.end + 2))) return undefined;
  return { start: value.start, end: value.end, kind, vague: true };
};

const DELIMITERS = new Set([...'\\"\'`] \t\n:=>'].map((character) => character.charCodeAt(0)));

function endOfName(text: string, at: number): number {
  let end = at + 3;
  while (end < at + MAX_NAME_CHARS && isWordCode(text.charCodeAt(end))) end++;
  return end;
}

function startOfName(text: string, at: number): number {
  let start = at;
  while (start > at - MAX_NAME_CHARS && isWordCode(text.charCodeAt(start - 1))) start--;
  start = behindGlue(text, start);
  while (text[start] === '-') start++;
  return Math.min(start, at);
}

function placeOfValue(text: string, name: Name): Place | undefined {
  const { start, end } = name;
  const assigned = after(ASSIGN, text, end);
  if (assigned !== undefined) return { from: assigned, form: formOfAssignment(text, name, assigned) };
  const pair = after(PAIR, text, end);
  if (pair !== undefined) return { from: pair, form: 'loose' };
  const before = text.slice(Math.max(0, start - 24), start);
  if (before.endsWith('--') && text[end] === ' ') return { from: end + 1, form: 'glued' };
  if (before.endsWith('<') && text[end] === '>') return { from: end + 1, form: 'element' };
  if (MACRO.test(before) && text[end] === ' ') return { from: end + 1, form: 'loose' };
  const argument = SETTER.test(before) ? after(SECOND_ARGUMENT, text, end) : undefined;
  if (argument !== undefined) return { from: argument, form: 'loose' };
  const declared = /variable[ \t]{1,4}\\{0,7}"$/.test(before) ? after(TERRAFORM, text, end) : undefined;
  if (declared !== undefined) return { from: declared, form: 'loose' };
  return name.kind === 'password' ? placeOfPassword(text, name) : spokenKey(text, end);
}

function formOfAssignment(text: string, { text: name, start, end }: Name, from: number): ValueForm {
  if (text[end] !== '=' || from !== end + 1) return 'loose';
  const before = text[start - 1] ?? ' ';
  // Parameters of an address, and of a connection: `Server=db;Pwd=…`.
  if ('?&'.includes(before) || (before === ';' && /^[A-Z]/.test(name))) return 'parameter';
  return /^[A-Z][A-Z0-9_]*$/.test(name) && before !== ';' ? 'environment' : 'glued';
}

// `the password is …`, and a .netrc file, in which nothing but space stands between.
function placeOfPassword(text: string, { start, end }: Name): Place | undefined {
  const spoken = after(SPOKEN, text, end);
  if (spoken !== undefined) return { from: spoken, form: 'spoken' };
  const isNetrc = /\s/.test(text[end] ?? '') && NETRC.test(text.slice(Math.max(0, start - 140), start));
  return isNetrc ? { from: end + 1, form: 'environment' } : undefined;
}

// `the secret key is …`
function spokenKey(text: string, end: number): Place | undefined {
  const from = after(SPOKEN_KEY, text, end);
  return from === undefined ? undefined : { from, form: 'loose' };
}

function after(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Triggers for values that only their name gives away. */
export const ASSIGNMENT_TRIGGERS: readonly Trigger[] = ['pass', 'pwd', 'psk', 'secret', 'token', 'key'].map(
  (word) => ({ word, anyCase: true, detect: assignment }),
);
