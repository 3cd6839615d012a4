/** A macro that is called with braces at the beginning of a line; files without one are left as they are. */
const CALL = /^[ \t]*(?:\w+::)*\w+![ \t]*\{/m;
/** What comes before the brace of a block that contains items, and of a macro that may. */
const HOLDER =
  /^(?:#!?\[[^\]]*\]|\s|pub(?:\([^)]*\))?\s|unsafe\s|default\s|extern\s+"[^"]*"\s*$|extern\s)*(?:mod|impl|trait)\b|\bextern\s*(?:"[^"]*"\s*)?$/;
const MACRO = /(?:^|\s)(?:\w+::)*\w+!\s*$/;
const IF = /(?:^|\s)(?:if\s*#\[[^{]*\]|else)\s*$/;
/** How items begin, after attributes and comments. */
const ITEM =
  /^(?:\s|#!?\[(?:[^\][]|\[[^\]]*\])*\]|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:(?:pub(?:\([^)]*\))?|unsafe|async|const|default|extern)\s+)*(?:fn|impl|mod|struct|enum|trait|use|type|union|macro_rules!|static\s+(?!ref\b)\w|const\s+\w+\s*:|(?:\w+::)*\w+!\s*\{)/;
/** `struct Flags: u32 {` is a macro's own syntax. */
const OWN_SYNTAX = /^[^{]*\b(?:struct|enum)\s+\w+\s*:/;
const CONDITIONS = /^(?:\s|\/\/[^\n]*\n)*if\s*#\[/;

/**
 * Replaces calls of macros around items, such as `cfg_if! { … }` or `cfg_rt! { … }`, with as many spaces, so that the
 * grammar reads the items: it takes the content of a macro for a list of words.
 */
export function blankItemMacros(text: string): string {
  if (!CALL.test(text)) return text;
  const blanks: [from: number, to: number][] = [];
  readItems(text, 0, blanks, false);
  let blanked = '';
  let last = 0;
  for (const [from, to] of blanks.sort(([a], [b]) => a - b)) {
    blanked += text.slice(last, from) + text.slice(from, to).replace(/[^\n]/g, ' ');
    last = to;
  }
  return blanked + text.slice(last);
}

/** Reads items up to the brace that closes the block around them, and returns its place. */
function readItems(text: string, start: number, blanks: [number, number][], conditions: boolean): number {
  let head = start;
  for (let at = start; at < text.length; ) {
    const next = afterQuoted(text, at);
    if (next > at) {
      at = next;
      continue;
    }
    const char = text[at];
    if (char === '}') return at;
    if (char === ';') head = at + 1;
    if (char !== '{') {
      at++;
      continue;
    }
    const before = text.slice(head, at);
    const inside = text.slice(at + 1, at + 1 + LOOK_CHARACTERS);
    const isMacro = MACRO.test(before);
    const chooses = isMacro && CONDITIONS.test(inside);
    const opens = chooses || (isMacro && ITEM.test(inside) && !OWN_SYNTAX.test(inside));
    const isBranch = conditions && IF.test(before);
    const readsItems = opens || isBranch || (!isMacro && HOLDER.test(before.trimStart()));
    const end = readsItems ? readItems(text, at + 1, blanks, chooses) : balanced(text, at + 1);
    if (opens || isBranch) {
      const word = opens ? before.search(/(?:\w+::)*\w+!\s*$/) : before.search(/\S/);
      blanks.push([head + Math.max(0, word), at + 1], [end, Math.min(end + 1, text.length)]);
    }
    at = end + 1;
    head = at;
  }
  return text.length;
}

/** Enough of a macro to see what it contains. */
const LOOK_CHARACTERS = 2_000;

/** The place of the brace that closes a block. */
function balanced(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; ) {
    const next = afterQuoted(text, at);
    if (next > at) {
      at = next;
      continue;
    }
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
    at++;
  }
  return text.length;
}

const RAW = /b?r(#*)"/y;
const CHARACTER = /b?'(?:[^'\\\n]|\\[^\n]{1,10}?)'/y;

/** The end of the comment, string or character that begins here; the same place if none does. */
function afterQuoted(text: string, at: number): number {
  const char = text[at];
  if (char === '/' && text[at + 1] === '/') return endOf(text, '\n', at);
  if (char === '/' && text[at + 1] === '*') return endOf(text, '*/', at + 2);
  if (char === '"') {
    for (let to = at + 1; to < text.length; to++) {
      if (text[to] === '\\') to++;
      else if (text[to] === '"') return to + 1;
    }
    return text.length;
  }
  if (char === 'r' || char === 'b') {
    if (/\w/.test(text[at - 1] ?? '')) return at;
    RAW.lastIndex = at;
    const raw = RAW.exec(text);
    if (raw !== null) return endOf(text, `"${raw[1]}`, RAW.lastIndex);
  }
  if (char === "'") {
    CHARACTER.lastIndex = at;
    if (CHARACTER.test(text)) return CHARACTER.lastIndex;
  }
  return at;
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}
