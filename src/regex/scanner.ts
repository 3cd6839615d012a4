import { at } from '../contract/at.ts';
import { PatternError } from './syntax.ts';

const SIMPLE_ESCAPES: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };
const PUNCTUATION = /[\\.+*?()|[\]{}^$#&\-~/!"'%,:;=@_`<> ]/;

/** Reads a pattern character by character. */
export class Scanner {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  get position(): number {
    return this.#at;
  }

  done(): boolean {
    return this.#at >= this.#characters.length;
  }

  /** The character ahead, or '' at the end. */
  peek(ahead = 0): string {
    return this.#characters[this.#at + ahead] ?? '';
  }

  take(): string {
    if (this.done()) this.fail('the pattern ends too early');
    return at(this.#characters, this.#at++);
  }

  /** Takes the text if it comes next. */
  accept(text: string): boolean {
    for (let index = 0; index < text.length; index++) if (this.peek(index) !== text[index]) return false;
    this.#at += text.length;
    return true;
  }

  /** Takes everything up to the character, and the character itself. */
  until(end: string): string {
    let text = '';
    for (let character = this.take(); character !== end; character = this.take()) text += character;
    return text;
  }

  /** Takes what a sticky expression of ASCII characters matches here. */
  match(expression: RegExp): RegExpExecArray | undefined {
    const ahead = this.#characters.slice(this.#at, this.#at + 64).join('');
    expression.lastIndex = 0;
    const found = expression.exec(ahead);
    if (found === null) return undefined;
    this.#at += [...found[0]].length;
    return found;
  }

  /** The code point of an escape after its backslash. */
  escapedChar(): number {
    const letter = this.take();
    const simple = SIMPLE_ESCAPES[letter];
    if (simple !== undefined) return simple;
    if (letter === 'x' || letter === 'u' || letter === 'U') return this.#hex(letter);
    if (PUNCTUATION.test(letter)) return letter.charCodeAt(0);
    return this.fail(`unrecognized escape sequence '\\${letter}'`);
  }

  #hex(letter: 'x' | 'u' | 'U'): number {
    const digits = this.accept('{') ? this.until('}') : this.#digits({ x: 2, u: 4, U: 8 }[letter]);
    const value = Number.parseInt(digits, 16);
    const valid = /^[0-9a-fA-F]+$/.test(digits) && value <= 0x10ffff && !(value >= 0xd800 && value < 0xe000);
    return valid ? value : this.fail('invalid hexadecimal escape');
  }

  #digits(count: number): string {
    let text = '';
    for (let index = 0; index < count; index++) text += this.take();
    return text;
  }

  fail(message: string): never {
    throw new PatternError(message, this.#at);
  }
}
