import { Lru } from '../../../contract/lru.ts';
import type { SymbolRow } from '../symbol-rows.ts';
import type { ModulePaths } from './module-paths.ts';
import type { FileFacts } from './question-files.ts';

/** How much stays between questions: bytes of text with their definitions, and definitions by name. */
const MAX_TEXT_BYTES = 12_000_000;
const MAX_DEFINITIONS = 20_000;
/** Roughly the memory that a definition takes. */
const BYTES_PER_DEFINITION = 400;

interface KeptFile {
  readonly hash: string;
  readonly weight: number;
  readonly facts: FileFacts;
}

/**
 * What questions about one tree looked up. Nothing of it is shown unchecked: a file's facts belong to the hash of the
 * text that was parsed, and everything else is dropped as soon as anything is stored.
 */
export class KeptFacts {
  readonly #files = new Lru<string, KeptFile>({
    weight: { of: ({ weight }) => weight, most: MAX_TEXT_BYTES },
  });
  readonly #named = new Lru<string, readonly SymbolRow[]>({
    weight: { of: ({ length }) => length + 1, most: MAX_DEFINITIONS },
  });
  #version = 0;
  #modules: { readonly generation: number; readonly paths: ModulePaths } | undefined;

  file(path: string, hash: string): FileFacts | undefined {
    const kept = this.#files.get(path);
    return kept?.hash === hash ? kept.facts : undefined;
  }

  keepFile(facts: FileFacts, hash: string, bytes: number): void {
    const weight = bytes + facts.definitions.length * BYTES_PER_DEFINITION;
    this.#files.set(facts.path, { hash, weight, facts });
  }

  dropFile(path: string): void {
    this.#files.delete(path);
  }

  async named(name: string, read: () => Promise<readonly SymbolRow[]>): Promise<readonly SymbolRow[]> {
    const kept = this.#named.get(name);
    if (kept !== undefined) return kept;
    const version = this.#version;
    const rows = await read();
    if (version === this.#version) this.#named.set(name, rows);
    return rows;
  }

  /** Where modules are, in one generation of the tree. */
  modules(generation: number, make: () => ModulePaths): ModulePaths {
    if (this.#modules?.generation !== generation) this.#modules = { generation, paths: make() };
    return this.#modules.paths;
  }

  /** To be called after something was stored or removed. */
  changed(): void {
    this.#version++;
    this.#named.clear();
    this.#modules = undefined;
  }

  clear(): void {
    this.#files.clear();
    this.changed();
  }
}
