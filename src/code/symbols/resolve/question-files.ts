import { posix } from 'node:path';
import type { SourceFiles } from '../../files/source-tree.ts';
import { languageOf } from '../../languages.ts';
import type { SymbolKind } from '../file-symbols.ts';
import { readSource } from '../source-text.ts';
import type { SymbolIndex } from '../symbol-index.ts';
import type { ImportRow, SymbolRow } from '../symbol-rows.ts';
import { blankComments } from './blank-comments.ts';
import { ModulePaths } from './module-paths.ts';

/** What is stored about a file, and its text. */
export interface FileFacts {
  readonly path: string;
  readonly language: string;
  readonly definitions: readonly SymbolRow[];
  readonly imports: readonly ImportRow[];
  /** Exactly the text that was parsed, without comments in TypeScript and JavaScript; '' if the file changed since. */
  readonly text: string;
  /** The offset of a place; lines count from 1. */
  offset(line: number, column: number): number;
}

const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([
  'class',
  'struct',
  'interface',
  'trait',
  'enum',
  'type',
  'module',
]);

/** Whether a definition has members. */
export function isType({ kind }: { readonly kind: SymbolKind }): boolean {
  return TYPE_KINDS.has(kind);
}

/** Whether a language is read like TypeScript. */
export function isScript(language: string): boolean {
  return /^(?:typescript|javascript|vue|svelte)$/.test(language);
}

/** Whether a definition is reached through a receiver. */
export function isMember({ kind }: Pick<SymbolRow, 'kind'>): boolean {
  return kind === 'method' || kind === 'field';
}

/** Whether other files may use a definition without naming a type. */
export function isTop(row: SymbolRow): boolean {
  const { kind } = row;
  return (
    !isMember(row) &&
    (row.parent === undefined ||
      isType(row) ||
      kind === 'function' ||
      kind === 'constant' ||
      kind === 'macro')
  );
}

type Groups = ReadonlyMap<string, readonly SymbolRow[]>;

function groupedBy(rows: readonly SymbolRow[], by: (row: SymbolRow) => string): Groups {
  const groups = new Map<string, SymbolRow[]>();
  for (const row of rows) {
    const key = by(row);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [row]);
    else known.push(row);
  }
  return groups;
}

/** How long a question waits for one file. */
const ON_THE_WAY_MS = 2_000;
/** How long it waits for all of them, so that a folder of unread files does not use up the time limit. */
const ALL_ON_THE_WAY_MS = 6_000;

type PathSet = Pick<SourceFiles, 'has' | 'keys'>;

/** The files of a tree, whatever is stored about them. */
export class TreeFiles {
  readonly #root: string;
  readonly #paths: PathSet;

  constructor(root: string, paths: PathSet) {
    this.#root = root;
    this.#paths = paths;
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  paths(): Iterable<string> {
    return this.#paths.keys();
  }

  /** The text of a file now, parsed or not. */
  textNow(path: string): string {
    return readSource(this.#root, path)?.text ?? '';
  }
}

/** Everything that one question looks up, each thing once. */
export class QuestionFiles {
  readonly #root: string;
  readonly #index: SymbolIndex;
  readonly #signal: AbortSignal;
  readonly #facts = new Map<string, Promise<FileFacts>>();
  readonly #named = new Map<string, Promise<readonly SymbolRow[]>>();
  readonly #owned = new Map<string, Promise<Groups>>();
  readonly #top = new Map<string, Promise<Groups>>();
  /** How long this question may still wait for files that it comes across, in total. */
  #waitLeft = ALL_ON_THE_WAY_MS;
  /** Files that it came across but that were not parsed in time. */
  missed = 0;
  /** Those of them with nothing stored, so that nothing about them can be out of date. */
  readonly #unread = new Set<string>();
  /** Where modules are. */
  readonly modules: ModulePaths;

  constructor(
    { root, files }: { readonly root: string; readonly files: PathSet },
    generation: number,
    index: SymbolIndex,
    signal: AbortSignal,
  ) {
    this.#signal = signal;
    this.#root = root;
    this.#index = index;
    this.modules = index.kept.modules(generation, () => new ModulePaths(new TreeFiles(root, files)));
  }

  /** The paths that were looked at and have something stored. */
  get used(): readonly string[] {
    return [...this.#facts.keys()].filter((path) => !this.#unread.has(path));
  }

  named(name: string): Promise<readonly SymbolRow[]> {
    const { kept, rows } = this.#index;
    return remembered(this.#named, name, () => kept.named(name, () => rows.definitionsNamed(name)));
  }

  /** Definitions with a name, by the type that they belong to or that encloses them. */
  async ownedBy(type: string, name: string): Promise<readonly SymbolRow[]> {
    const owned = await remembered(this.#owned, name, async () =>
      groupedBy(await this.named(name), ({ scope }) => scope.slice(scope.lastIndexOf('.') + 1)),
    );
    return owned.get(type) ?? [];
  }

  /** Definitions with a name that need no receiver, by folder. */
  async topIn(folder: string, name: string): Promise<readonly SymbolRow[]> {
    const top = await remembered(this.#top, name, async () =>
      groupedBy((await this.named(name)).filter(isTop), ({ path }) => posix.dirname(path)),
    );
    return top.get(folder) ?? [];
  }

  facts(path: string): Promise<FileFacts> {
    return remembered(this.#facts, path, async () => {
      // In a tree that is not completely parsed yet, what a question comes across is parsed on the way.
      const pending = this.#index.pendingAmong([path]);
      if (pending.length > 0) {
        const began = performance.now();
        const wait = Math.min(ON_THE_WAY_MS, this.#waitLeft);
        const late = await this.#index.ensure(pending, wait, this.#signal);
        this.#waitLeft -= performance.now() - began;
        this.missed += late;
        if (late > 0 && this.#index.hashOf(path) === undefined) this.#unread.add(path);
      }
      const hash = this.#index.hashOf(path);
      return (hash === undefined ? undefined : this.#index.kept.file(path, hash)) ?? this.#read(path);
    });
  }

  async #read(path: string): Promise<FileFacts> {
    const { rows, kept } = this.#index;
    const root = this.#root;
    const { hash: stored, definitions, imports } = await rows.storedFile(path);
    const facts = new StoredFacts(path, definitions, imports, () => {
      const source = readSource(root, path);
      if (source !== undefined && source.stamp.hash === stored) return source.text ?? '';
      kept.dropFile(path);
      return '';
    });
    // A thread may have stored another version between the two reads.
    if (stored !== undefined && (await rows.hashOf(path)) === stored)
      kept.keepFile(facts, stored, this.#index.sizeOf(path));
    return facts;
  }
}

class StoredFacts implements FileFacts {
  readonly path: string;
  readonly language: string;
  readonly definitions: readonly SymbolRow[];
  readonly imports: readonly ImportRow[];
  readonly #read: () => string;
  #text: string | undefined;
  #starts: readonly number[] | undefined;

  constructor(
    path: string,
    definitions: readonly SymbolRow[],
    imports: readonly ImportRow[],
    read: () => string,
  ) {
    this.path = path;
    this.language = languageOf(path) ?? '';
    this.definitions = definitions;
    this.imports = imports;
    this.#read = read;
  }

  get text(): string {
    this.#text ??= isScript(this.language) ? blankComments(this.#read()) : this.#read();
    return this.#text;
  }

  offset(line: number, column: number): number {
    if (this.#starts === undefined) {
      const starts = [0];
      for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1))
        starts.push(at + 1);
      this.#starts = starts;
    }
    return (this.#starts[line - 1] ?? this.text.length) + column;
  }
}

function remembered<T>(cache: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}
