import {
  type CharSet,
  caseFolded,
  intersection,
  jsClass,
  negation,
  rangeSet,
  singleChar,
  union,
} from './charset.ts';
import type { Scanner } from './scanner.ts';
import { UnsupportedPattern } from './syntax.ts';

/** How classes are read: with Unicode data or ASCII only, with or without case. */
export interface ClassFlags {
  readonly unicode: boolean;
  readonly insensitive: boolean;
}

const WORD = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]';

/** What `\d`, `\s`, `\w` and `\b` mean. */
export const PERL_CLASSES = {
  d: { unicode: '\\p{Nd}', ascii: '[0-9]' },
  s: { unicode: '\\p{White_Space}', ascii: '[\\t\\n\\v\\f\\r ]' },
  w: { unicode: WORD, ascii: '[0-9A-Za-z_]' },
} as const;

const POSIX: Readonly<Record<string, string>> = {
  alnum: '[0-9A-Za-z]',
  alpha: '[A-Za-z]',
  ascii: '[\\x00-\\x7f]',
  blank: '[\\t ]',
  cntrl: '[\\x00-\\x1f\\x7f]',
  digit: '[0-9]',
  graph: '[!-~]',
  lower: '[a-z]',
  print: '[ -~]',
  punct: '[!-\\/:-@\\[-`\\{-~]',
  space: '[\\t\\n\\v\\f\\r ]',
  upper: '[A-Z]',
  word: '[0-9A-Za-z_]',
  xdigit: '[0-9A-Fa-f]',
};

/** The class of `\d`, `\D`, `\s`, `\S`, `\w`, `\W`. */
export function perlClass(letter: string, unicode: boolean): CharSet | undefined {
  const lower = letter.toLowerCase();
  if (lower !== 'd' && lower !== 's' && lower !== 'w') return undefined;
  const set = jsClass(PERL_CLASSES[lower][unicode ? 'unicode' : 'ascii']);
  return letter === lower ? set : negated(set, unicode);
}

/** Reads what follows `\p` or `\P`. */
export function propertyClass(scanner: Scanner, letter: string, flags: ClassFlags): CharSet {
  if (!flags.unicode) throw new UnsupportedPattern('Unicode classes in byte mode');
  let name = scanner.take();
  if (name === '{') {
    name = scanner.until('}');
  }
  const set = inAnyCase(namedProperty(name.replace(/[:=]/, '=').trim(), scanner), flags);
  return letter === 'P' ? negation(set) : set;
}

function namedProperty(name: string, scanner: Scanner): CharSet {
  const lower = name.toLowerCase();
  if (lower === 'any') return rangeSet(0, 0x10ffff);
  if (lower === 'ascii') return rangeSet(0, 127);
  const spellings = [name, capitalised(name), `Script=${capitalised(name)}`, name.toUpperCase()];
  if (!/^[\w=]+$/.test(name)) return scanner.fail(`unknown Unicode class '${name}'`);
  for (const spelling of spellings) {
    try {
      return jsClass(`\\p{${spelling}}`);
    } catch {
      // Not a name that the engine knows in this spelling.
    }
  }
  // Other aliases exist; the external engine has them all.
  throw new UnsupportedPattern(`Unicode class ${name}`);
}

function capitalised(name: string): string {
  return name.replace(
    /(^|[_=])([a-z])/g,
    (_whole, before: string, first: string) => before + first.toUpperCase(),
  );
}

/** Reads a bracketed class after its `[`. */
export function bracketClass(scanner: Scanner, flags: ClassFlags): CharSet {
  const inverted = scanner.accept('^');
  let left: CharSet | undefined;
  let operator = '';
  let items: CharSet[] = [];
  let first = true;
  const closeOperand = () => {
    const right = union(items.length === 0 ? [emptySet] : items);
    left =
      left === undefined ? right : applyOperator(operator, inAnyCase(left, flags), inAnyCase(right, flags));
    items = [];
  };
  for (;;) {
    if (scanner.done()) scanner.fail('unclosed character class');
    if (!first && scanner.accept(']')) break;
    const found = ['&&', '--', '~~'].find((text) => scanner.accept(text));
    if (found !== undefined) {
      closeOperand();
      operator = found;
    } else items.push(classItem(scanner, flags));
    first = false;
  }
  closeOperand();
  const set = inAnyCase(left ?? emptySet, flags);
  return inverted ? negated(set, flags.unicode) : set;
}

/**
 * Adds the other cases of its characters if case does not count. Done before every negation, so that an excluded
 * character is excluded in every case.
 */
function inAnyCase(set: CharSet, { insensitive }: ClassFlags): CharSet {
  return insensitive ? caseFolded(set) : set;
}

const emptySet = jsClass('[]');

function applyOperator(operator: string, left: CharSet, right: CharSet): CharSet {
  if (operator === '&&') return intersection(left, right);
  if (operator === '--') return intersection(left, negation(right));
  return union([intersection(left, negation(right)), intersection(right, negation(left))]);
}

function classItem(scanner: Scanner, flags: ClassFlags): CharSet {
  if (scanner.peek() === '[') return nested(scanner, flags);
  const low = classAtom(scanner, flags);
  if (typeof low !== 'number') return low;
  if (scanner.peek() !== '-' || scanner.peek(1) === ']' || scanner.peek(1) === '-') return char(low, flags);
  scanner.take();
  const high = classAtom(scanner, flags);
  if (typeof high !== 'number') return scanner.fail('a range needs single characters at both ends');
  if (high < low) return scanner.fail('invalid character class range');
  if (!flags.unicode && high > 127) throw new UnsupportedPattern('bytes above 127');
  return rangeSet(low, high);
}

function nested(scanner: Scanner, flags: ClassFlags): CharSet {
  const posix = scanner.match(/\[:(\^?)(\w+):\]/y);
  if (posix !== undefined) {
    const source = POSIX[posix[2] ?? ''];
    if (source === undefined) return scanner.fail('unknown ASCII class');
    const set = inAnyCase(jsClass(source), flags);
    return posix[1] === '^' ? negated(set, flags.unicode) : set;
  }
  scanner.take();
  return bracketClass(scanner, flags);
}

/** One character as a number, or a class written with a backslash. */
function classAtom(scanner: Scanner, flags: ClassFlags): number | CharSet {
  const character = scanner.take();
  if (character !== '\\') return codeOf(character);
  const letter = scanner.peek();
  const perl = perlClass(letter, flags.unicode);
  if (perl !== undefined) {
    scanner.take();
    return perl;
  }
  if (letter === 'p' || letter === 'P') {
    scanner.take();
    return propertyClass(scanner, letter, flags);
  }
  if (letter === 'b') {
    scanner.take();
    return 8;
  }
  return scanner.escapedChar();
}

function char(codePoint: number, flags: ClassFlags): CharSet {
  if (!flags.unicode && codePoint > 127) throw new UnsupportedPattern('bytes above 127');
  return singleChar(codePoint);
}

/** The complement; in byte mode it would contain bytes that are not characters, which only ripgrep can match. */
export function negated(set: CharSet, unicode: boolean): CharSet {
  if (!unicode) throw new UnsupportedPattern('negated class in byte mode');
  return negation(set);
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
