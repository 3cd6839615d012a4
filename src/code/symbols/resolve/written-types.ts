import { Lru } from '../../../contract/lru.ts';

/* The type of a variable if its declaration names it, in languages other than TypeScript. */

const NAME = String.raw`((?:[A-Za-z_]\w*(?:::|\.|\\))*[A-Za-z_]\w*)`;

/** Patterns by language; `$` stands for the variable, and the first group is the type. */
const PATTERNS: Readonly<Record<string, readonly string[]>> = {
  python: [
    `\\b$\\s*:\\s*["']?(?:Optional\\[)?${NAME}`,
    `\\b$\\s*=\\s*(?:await\\s+)?${NAME}\\(`,
    `\\bas\\s+$\\b`,
  ],
  go: [
    `\\b$\\s+(?:\\[\\])?\\*?${NAME}\\s*[,){\\n=]`,
    `\\b$\\s*(?:,\\s*\\w+\\s*)?:=\\s*&?${NAME}\\s*\\{`,
    `\\b$\\s*(?:,\\s*\\w+\\s*)?:=\\s*new\\(${NAME}\\)`,
    `\\bvar\\s+$\\s+\\*?${NAME}`,
    `\\b$\\s*(?:,\\s*\\w+\\s*)?:=\\s*(?:\\w+\\.)?New${NAME}\\(`,
  ],
  rust: [
    `\\b$\\s*:\\s*&?(?:'\\w+\\s+)?(?:mut\\s+)?(?:Arc<|Rc<|Box<|dyn\\s+|impl\\s+|Option<)*${NAME}`,
    `\\blet\\s+(?:mut\\s+)?$\\s*=\\s*${NAME}(?:::\\w+\\(|\\s*\\{)`,
  ],
  kotlin: [`\\b$\\s*:\\s*${NAME}`, `\\b(?:val|var)\\s+$\\s*=\\s*${NAME}\\(`],
  swift: [`\\b$\\s*:\\s*${NAME}`, `\\b(?:let|var)\\s+$\\s*=\\s*${NAME}\\(`],
  scala: [`\\b$\\s*:\\s*${NAME}`, `\\b(?:val|var)\\s+$\\s*=\\s*new\\s+${NAME}`],
  php: [`${NAME}\\s+\\$`, `\\$\\s*=\\s*new\\s+${NAME}`],
  ruby: [`\\b$\\s*=\\s*${NAME}\\.new\\b`],
};
/** `Type name`, as in C and Java. */
const TYPE_FIRST: readonly string[] = [
  `\\b${NAME}(?:<[^;(){}]*>)?(?:\\s*[*&]+\\s*|\\s+(?:const\\s+)?[*&]*)$\\s*[=;,):(\\[]`,
  `\\b$\\s*=\\s*new\\s+${NAME}`,
];
const TYPE_FIRST_LANGUAGES = /^(?:java|csharp|c|cpp|cuda|objectivec|groovy|dart)$/;
const NO_TYPES: ReadonlySet<string> = new Set(
  'return new else case throw await yield goto delete in not and or auto var let val const final static if while for'.split(
    ' ',
  ),
);

const expressions = new Lru<string, RegExp>({ most: 200 });

/** Kept, because the same few names are searched for in thousands of places. */
function expression(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const made = new RegExp(pattern, 'g');
  expressions.set(pattern, made);
  return made;
}

/** The name of the type that a variable is declared with, in the text before its use; the nearest declaration counts. */
export function writtenType(language: string, variable: string, before: string): string | undefined {
  const patterns = TYPE_FIRST_LANGUAGES.test(language) ? TYPE_FIRST : (PATTERNS[language] ?? []);
  const name = variable.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const found: { readonly at: number; readonly type: string }[] = [];
  for (const pattern of patterns)
    for (const match of before.matchAll(expression(pattern.replaceAll('$', () => name)))) {
      const type = match[1];
      if (type === undefined || NO_TYPES.has(type) || type === variable) continue;
      found.push({ at: match.index, type });
    }
  // Of two patterns that match at one place, the later one counts.
  found.sort((a, b) => a.at - b.at);
  const isSeen = WITHOUT_BRACES.test(language) ? () => true : (at: number) => isInScope(before, at);
  return found.findLast(({ at }) => isSeen(at))?.type;
}

const WITHOUT_BRACES = /^(?:python|ruby)$/;

/**
 * Whether a declaration at a place is still visible at the end of a text: the block that it belongs to has not ended.
 */
function isInScope(text: string, from: number): boolean {
  let braces = 0;
  let brackets = 0;
  let isParameter = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '(') brackets++;
    else if (character === ')') {
      brackets--;
      isParameter ||= brackets < 0 && braces === 0;
    } else if (character === '{') braces++;
    else if (character === '}') {
      braces--;
      // Parameters belong to the block after them.
      if (braces < 0 || (braces === 0 && isParameter)) return false;
    }
  }
  return true;
}
