// Names that lines declare, and where what they declare ends.

const KEYWORD =
  /^(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|override|open|sealed|inline|virtual|extern|unsafe|pub(?:\([^)]*\))?|const|suspend|data|partial|readonly|implicit|lazy|case|companion|fileprivate|mutating|local|constexpr|tailrec|operator|noinline|declare|@\w+(?:\([^)]*\))?)\s+)*(?:def|defp|defmodule|defmacro|defprotocol|fn|func|fun|function\*?|class|struct|interface|trait|enum|object|module|protocol|impl(?:<[^>]*>)?|record|extension|actor|macro_rules!|instance|newtype|type)\s+(?:\([^)]*\)\s*)?(?:<[^>]*>\s*)?([A-Za-z_][\w]*(?:[.:]+[\w]+)*[!?]?)/;
const VALUE =
  /^(?:export\s+|pub\s+|module\.)?(?:const|let|var|exports\.|this\.)?\s*([A-Za-z_$][\w$.]*)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|struct\b|enum\b|union\b|class\b)/;
const CALL_SHAPE =
  /^(?!(?:if|for|while|switch|return|else|catch|do|case|throw|await|yield|using|lock|new|delete|sizeof|goto|print|echo|assert|expect|it|describe|test|with|when|match|elif|elsif|unless|until|puts|raise|require|import)\b)(?:[A-Za-z_][\w<>:,*&[\]?~.]*\s+)*[*&]*([A-Za-z_~][\w:]*)\s*\([^;]*\)?\s*(?:const|noexcept|override|throws [\w, .]+)?\s*\{?$/;
const SHELL = /^(?:function\s+)?([\w:.-]+)\s*\(\)\s*\{?/;
const HASKELL = /^([a-z][\w']*)\s*::/;

export const declares = (line) => KEYWORD.test(line);

/** The name that a trimmed line declares, or undefined. */
export function declaredName(line, language) {
  const keyword = KEYWORD.exec(line)?.[1];
  if (keyword) return keyword;
  if (language === 'js' || language === 'zig' || language === 'lua') {
    const value = VALUE.exec(line)?.[1];
    if (value) return value;
  }
  if (language === 'sh') return SHELL.exec(line)?.[1];
  if (language === 'hs') return HASKELL.exec(line)?.[1];
  if (['c', 'cs', 'java', 'js'].includes(language) && line.length < 200) return CALL_SHAPE.exec(line)?.[1];
  return undefined;
}

export function indentOf(line) {
  return line.length - line.replace(/^[ \t]*/, '').length;
}

/** The line after the block that starts at `at`, looking at most `most` lines on. */
export function blockEnd(lines, at, most, name, language) {
  const indent = indentOf(lines[at]);
  let last = at;
  for (let next = at + 1; next < lines.length && next - at < most; next++) {
    const line = lines[next];
    if (!line.trim()) continue;
    const own = indentOf(line);
    if (own > indent) {
      last = next;
      continue;
    }
    const rest = line.slice(own);
    if (/^[})\]]/.test(rest)) {
      last = next;
      if (rest[0] === '}' && own === indent && !/[{(,]\s*$/.test(line)) return next + 1;
    } else if (
      rest[0] === '{' ||
      /^(end|else|elif|elsif|rescue|ensure|catch|fi|done|esac|where|deriving)\b/.test(rest)
    ) {
      last = next;
      if (/^(end|done|fi)\b/.test(rest) && own === indent) return next + 1;
    } else if (language === 'hs' && name && line.startsWith(name)) last = next;
    else return last + 1;
  }
  return last + 1;
}
