import { caseFolded, negation, rangeSet, singleChar } from './charset.ts';
import { bracketClass, perlClass, propertyClass } from './parse-class.ts';
import { Scanner } from './scanner.ts';
import { concat, type Look, type Syntax, UnsupportedPattern } from './syntax.ts';

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
  readonly u: boolean;
}

/** Nesting is limited, so that a short pattern cannot make an endless program. */
const MAX_DEPTH = 200;
const INSIDE_CHARACTERS: ReadonlySet<Look> = new Set(['not-word', 'word-start-half', 'word-end-half']);

/**
 * Parses the dialect of Rust's regex crate as ripgrep uses it: lines, `^` and `$` at line ends, Unicode.
 * What only ripgrep can run (byte mode above ASCII, CRLF mode) is an {@link UnsupportedPattern}, and so are `\A`
 * and `\z` unless each line is its own text, `apart`: then they are the start and the end of the line. Line breaks
 * are allowed in `multiline` patterns only, and are never part of a known text.
 */
export function parsePattern(
  pattern: string,
  insensitive: boolean,
  apart = false,
  multiline = false,
): Syntax {
  const parser = new Parser(pattern, apart, multiline);
  return parser.parse({ i: insensitive, m: true, s: false, U: false, u: true });
}

class Parser {
  readonly #scanner: Scanner;
  readonly #apart: boolean;
  readonly #multiline: boolean;
  #depth = 0;

  constructor(pattern: string, apart: boolean, multiline: boolean) {
    this.#scanner = new Scanner(pattern);
    this.#apart = apart;
    this.#multiline = multiline;
  }

  parse(flags: Flags): Syntax {
    const whole = this.#choice(flags);
    if (!this.#scanner.done()) this.#scanner.fail('unopened group');
    return whole;
  }

  #choice(outer: Flags): Syntax {
    if (++this.#depth > MAX_DEPTH) throw new UnsupportedPattern('deep nesting');
    let flags = outer;
    const branches: Syntax[] = [];
    let parts: Syntax[] = [];
    for (;;) {
      const next = this.#scanner.peek();
      if (next === '' || next === ')') break;
      if (next === '|') {
        this.#scanner.take();
        branches.push(concat(parts));
        parts = [];
        continue;
      }
      const changed = this.#inlineFlags(flags);
      if (changed !== undefined) flags = changed;
      else parts.push(this.#repeated(this.#atom(flags), flags));
    }
    this.#depth--;
    if (branches.length === 0) return concat(parts);
    return { kind: 'choice', parts: [...branches, concat(parts)] };
  }

  /** Flags such as `(?i)`, which apply to the end of the group. */
  #inlineFlags(flags: Flags): Flags | undefined {
    const found = this.#scanner.match(/\(\?([imsUuxR]*)(?:-([imsUuxR]+))?\)/y);
    return found === undefined ? undefined : this.#withFlags(flags, found[1], found[2]);
  }

  #withFlags(flags: Flags, on = '', off = ''): Flags {
    if (/[Rx]/.test(on)) throw new UnsupportedPattern('CRLF or verbose mode');
    const changes = [...on].map((letter) => [letter, true]).concat([...off].map((letter) => [letter, false]));
    const result: Flags = { ...flags, ...Object.fromEntries(changes) };
    if (result.i && !result.u) throw new UnsupportedPattern('ASCII-only cases');
    return result;
  }

  #atom(flags: Flags): Syntax {
    const scanner = this.#scanner;
    const character = scanner.take();
    switch (character) {
      case '(':
        return this.#group(flags);
      case '[': {
        const set = bracketClass(scanner, { unicode: flags.u, insensitive: flags.i });
        return { kind: 'set', set, folded: flags.i };
      }
      case '.':
        if (!flags.u) throw new UnsupportedPattern('any byte');
        return {
          kind: 'set',
          set: flags.s ? rangeSet(0, 0x10ffff) : negation(singleChar(10)),
          folded: false,
        };
      case '^':
        return this.#look('line-start', flags, flags.m);
      case '$':
        return this.#look('line-end', flags, flags.m);
      case '\\':
        return this.#escape(flags);
      case '*':
      case '+':
      case '?':
        return scanner.fail('repetition operator missing expression');
      case '{':
        return scanner.fail('repetition operator missing expression');
      default:
        return this.#char(character.codePointAt(0) ?? 0, flags);
    }
  }

  #group(flags: Flags): Syntax {
    const scanner = this.#scanner;
    let inner = flags;
    if (scanner.peek() === '?') {
      const scoped = scanner.match(/\?([imsUuxR]*)(?:-([imsUuxR]+))?:/y);
      if (scoped !== undefined) inner = this.#withFlags(flags, scoped[1], scoped[2]);
      else if (scanner.match(/\?P?<[A-Za-z_][\w.[\]]*>/y) === undefined) {
        scanner.fail(
          'look-around and other extensions are not supported: this dialect matches in linear time',
        );
      }
    }
    const body = this.#choice(inner);
    if (!scanner.accept(')')) scanner.fail('unclosed group');
    return body;
  }

  #escape(flags: Flags): Syntax {
    const scanner = this.#scanner;
    const letter = scanner.peek();
    const perl = perlClass(letter, flags.u);
    if (perl !== undefined) {
      scanner.take();
      return { kind: 'set', set: perl, folded: false };
    }
    if (letter === 'p' || letter === 'P') {
      scanner.take();
      const set = propertyClass(scanner, letter, { unicode: flags.u, insensitive: flags.i });
      return { kind: 'set', set, folded: false };
    }
    const look = this.#lookEscape();
    if (look !== undefined) return this.#look(look, flags, true);
    if (scanner.accept('A')) return this.#look('line-start', flags, false);
    if (scanner.accept('z')) return this.#look('line-end', flags, false);
    return this.#char(scanner.escapedChar(), flags);
  }

  #lookEscape(): Look | undefined {
    const named = this.#scanner.match(/b\{(start|end|start-half|end-half)\}/y);
    if (named !== undefined) {
      const looks = {
        start: 'word-start',
        end: 'word-end',
        'start-half': 'word-start-half',
        'end-half': 'word-end-half',
      } as const;
      return looks[named[1] as keyof typeof looks];
    }
    if (this.#scanner.accept('b')) return 'word';
    if (this.#scanner.accept('B')) return 'not-word';
    if (this.#scanner.accept('<')) return 'word-start';
    if (this.#scanner.accept('>')) return 'word-end';
    return undefined;
  }

  /** `ofLine`: the look is about a line; otherwise about a whole text, which may have many lines. */
  #look(look: Look, flags: Flags, ofLine: boolean): Syntax {
    if (!ofLine && !this.#apart) throw new UnsupportedPattern('start or end of text');
    // They hold between the bytes of one character too.
    if (!flags.u && INSIDE_CHARACTERS.has(look)) throw new UnsupportedPattern(`${look} in byte mode`);
    return { kind: 'look', look, unicode: flags.u };
  }

  #char(codePoint: number, flags: Flags): Syntax {
    if (codePoint === 10) {
      if (this.#multiline) return { kind: 'set', set: singleChar(10), folded: false };
      this.#scanner.fail('a line break needs multiline (-U); without it, each line is searched on its own');
    }
    if (!flags.u && codePoint > 127) throw new UnsupportedPattern('bytes above 127');
    const set = singleChar(codePoint);
    return { kind: 'set', set: flags.i ? caseFolded(set) : set, folded: flags.i, char: codePoint };
  }

  #repeated(atom: Syntax, flags: Flags): Syntax {
    let result = atom;
    for (;;) {
      const bounds = this.#bounds();
      if (bounds === undefined) return result;
      const lazy = this.#scanner.accept('?');
      result = { kind: 'repeat', part: result, ...bounds, greedy: lazy === flags.U };
    }
  }

  #bounds(): { min: number; max: number } | undefined {
    if (this.#scanner.accept('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#scanner.accept('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#scanner.accept('?')) return { min: 0, max: 1 };
    if (this.#scanner.peek() !== '{') return undefined;
    const found = this.#scanner.match(/\{ *(\d*) *(,?) *(\d*) *\}/y);
    if (found === undefined || (found[1] === '' && found[3] === '')) {
      return this.#scanner.fail('repetition quantifier expects a valid decimal');
    }
    const min = Number(found[1] ?? 0);
    const max = found[2] === '' ? min : found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (max < min) this.#scanner.fail('invalid repetition count range');
    return { min, max };
  }
}
