import { setMaxListeners } from 'node:events';
import type { Caller } from '../../contract/caller.ts';
import type { ExactSearch } from '../exact/exact-query.ts';
import type { SourceTree } from '../files/source-tree.ts';
import { languageOf } from '../languages.ts';
import { ROLE, rolesOf } from '../rank/file-roles.ts';
import type { CodeServices } from '../services.ts';
import type { FileShape } from '../symbols/file-shape.ts';
import { type FileSyntax, syntaxOf } from './file-syntax.ts';

/** What the syntax of a file says; undefined if its language is not known. */
export type ReadSymbols = (path: string) => Promise<FileShape | undefined>;

/** Reads the symbols of a tree's files, several at a time, until the signal ends it. */
export function symbolsIn(tree: SourceTree, { code }: CodeServices, signal: AbortSignal): ReadSymbols {
  const own = AbortSignal.any([signal]);
  // Each file that is being parsed listens to it.
  setMaxListeners(0, own);
  return (path) => code.symbols.inFile(tree, path, own);
}

/** Reads the symbols of the texts in which a search found something: the files on disk may differ from them. */
export function symbolsThen(
  { textOf }: Pick<ExactSearch, 'textOf'>,
  { code }: CodeServices,
  signal: AbortSignal,
): ReadSymbols {
  return async (path) => {
    const text = textOf?.(path);
    return text === undefined ? undefined : code.symbols.inText(path, text, signal);
  };
}

/** How long a page waits for the syntax of its files. An agent that misses a name asks again, which takes longer. */
const WAIT_MS = { person: 150, agent: 1_000 };

export function waitFor({ door }: Pick<Caller, 'door'>): number {
  return door === 'mcp' ? WAIT_MS.agent : WAIT_MS.person;
}

/** Files whose syntax is kept: rows come file by file, and ranked rows return to a file now and then. */
const MAX_KEPT_FILES = 32;

/** The requested syntax of a file. */
interface Reading {
  readonly syntax: Promise<FileSyntax | undefined>;
  /** The syntax, once it is known. */
  known?: { readonly syntax: FileSyntax | undefined };
}

/** Reads the syntax of files for one answer, as long as there is time. */
export class SyntaxSource {
  readonly #read: ReadSymbols;
  readonly #readings = new Map<string, Reading>();
  #left = 0;
  /** Files of code that there was no time for. */
  late = 0;

  constructor(read: ReadSymbols) {
    this.#read = read;
  }

  /** Allows this many milliseconds of waiting; what was left before is dropped. */
  allow(ms: number): void {
    this.#left = ms;
  }

  /** Starts reading a file that will be needed soon. */
  start(path: string): void {
    if (this.#left > 0) this.#started(path);
  }

  /** The syntax of a file; undefined if it is not known, or not in time, which is counted. */
  async of(path: string): Promise<FileSyntax | undefined> {
    const syntax = await this.inTime(path);
    return syntax === 'late' ? this.#tooLate(path) : syntax;
  }

  /** The syntax of a file; undefined if it is not known. */
  async inTime(path: string): Promise<FileSyntax | undefined | 'late'> {
    if (this.#left <= 0 && !this.#readings.has(path)) return 'late';
    const reading = this.#started(path);
    // Most files were seen before, and a timer for each costs more than looking them up.
    if (reading.known !== undefined) return reading.known.syntax;
    const began = performance.now();
    const syntax = await inTime(reading.syntax, Math.max(0, this.#left));
    if (syntax === 'late') {
      // A timer may be up to a millisecond early; what it waited for is used up all the same.
      this.#left = 0;
      return syntax;
    }
    this.#left -= performance.now() - began;
    return syntax;
  }

  #tooLate(path: string): undefined {
    const roles = rolesOf(path, languageOf(path), '');
    if ((roles & (ROLE.prose | ROLE.config)) === 0) this.late++;
  }

  #started(path: string): Reading {
    const started = this.#readings.get(path);
    if (started !== undefined) return started;
    const reading: Reading = { syntax: this.#syntaxOf(path) };
    void reading.syntax.then((syntax) => {
      reading.known = { syntax };
    });
    this.#readings.set(path, reading);
    const [oldest] = this.#readings.keys();
    if (this.#readings.size > MAX_KEPT_FILES && oldest !== undefined) this.#readings.delete(oldest);
    return reading;
  }

  /** A file that cannot be read has no syntax; the search itself says what it could not read. */
  async #syntaxOf(path: string): Promise<FileSyntax | undefined> {
    const shape = await this.#read(path).catch(() => undefined);
    return shape && syntaxOf(shape);
  }
}

/** The result of a promise, or `late` if it takes longer. */
function inTime<T>(promised: Promise<T>, ms: number): Promise<T | 'late'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, 'late').unref();
    promised.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
