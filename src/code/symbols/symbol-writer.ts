import type { SqlValue } from '../../store/database.ts';
import { openPrivately } from '../../store/sqlite.ts';
import { ownText } from '../words/own-text.ts';
import type { FileSymbols, LineSpan } from './file-symbols.ts';
import { packAscending, packNumbers, unpackAscending } from './number-lists.ts';
import { qualifiedNames, scopeOf } from './qualified-names.ts';
import {
  DEFINITION_FLAG,
  FILE_SHIFT,
  LONG_RECEIVER,
  REFERENCE_KINDS,
  SYMBOL_KINDS,
} from './symbol-schema.ts';

/** Size, times and content of a file when it was read. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly hash: string;
}

/** What is stored about a file. */
export interface FileRecord extends FileStamp {
  readonly path: string;
  readonly language: string | undefined;
  readonly lines: number;
  readonly flags: number;
  readonly symbols: FileSymbols | undefined;
}

/** A file whose content is already stored, with its new times. */
export type SameContent = FileStamp & { readonly path: string };

/** How many names, and how many characters of them, stay in memory; the others are looked up again. */
const KNOWN_NAMES = { most: 30_000, characters: 400_000 };

type Connection = ReturnType<typeof openPrivately>;
type Statement = ReturnType<Connection['prepare']>;

/** Writes to the database of one tree. The side that reads it has already created it and its tables. */
export class SymbolWriter {
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();
  readonly #names = new KnownNames();

  constructor(file: string) {
    this.#connection = openPrivately(file);
    this.#connection.exec('PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 20000;');
  }

  /** Stores files, and removes others, in one transaction. */
  write(records: readonly FileRecord[], same: readonly SameContent[], removed: readonly string[]): void {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      for (const path of removed) this.#remove(path);
      for (const { size, mtimeMs, ctimeMs, path } of same)
        this.#run(
          'UPDATE files SET size = ?, mtime = ?, ctime = ? WHERE path = ?',
          size,
          mtimeMs,
          ctimeMs,
          path,
        );
      for (const record of records) {
        this.#remove(record.path);
        this.#insert(record);
      }
      this.#connection.exec('COMMIT');
    } catch (error) {
      // The rollback removes names that were added.
      this.#names.clear();
      this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#connection.close();
  }

  #remove(path: string): void {
    const row = this.#prepare('SELECT id, names FROM files WHERE path = ?').get(path);
    if (row === undefined) return;
    const id = Number(row.id);
    if (row.names instanceof Uint8Array) {
      for (const name of unpackAscending(row.names))
        this.#run('DELETE FROM refs WHERE name = ? AND file = ?', name, id);
    }
    const first = id * FILE_SHIFT;
    this.#run('DELETE FROM definitions WHERE id BETWEEN ? AND ?', first, first + FILE_SHIFT - 1);
    this.#run('DELETE FROM imports WHERE file = ?', id);
    this.#run('DELETE FROM files WHERE id = ?', id);
  }

  #insert({ path, size, mtimeMs, ctimeMs, hash, language, lines, flags, symbols }: FileRecord): void {
    const names = symbols?.references.map(({ name }) => this.#nameId(name)) ?? [];
    const file = Number(
      this.#prepare(
        'INSERT INTO files (path, size, mtime, ctime, hash, language, lines, flags, names, comments, tests) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ).run(
        path,
        size,
        mtimeMs,
        ctimeMs,
        hash,
        language ?? null,
        lines,
        flags,
        names.length === 0 ? null : packAscending([...new Set(names)].sort((a, b) => a - b)),
        packSpans(symbols?.comments),
        packSpans(symbols?.tests),
      ).lastInsertRowid,
    );
    if (symbols !== undefined) this.#insertSymbols(file, symbols, names);
  }

  #insertSymbols(file: number, symbols: FileSymbols, names: readonly number[]): void {
    const qualified = qualifiedNames(symbols.definitions);
    for (const [nr, definition] of symbols.definitions.slice(0, FILE_SHIFT).entries()) {
      const { name, kind, line, column, from, to, parent, signature, isTest, isExported, isPrototype } =
        definition;
      const scope = scopeOf(definition, qualified);
      this.#run(
        'INSERT INTO definitions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        file * FILE_SHIFT + nr,
        this.#nameId(name),
        scope === '' ? 0 : this.#nameId(scope),
        SYMBOL_KINDS.indexOf(kind),
        line,
        column,
        from,
        to,
        parent === undefined ? 0 : parent + 1,
        (isTest ? DEFINITION_FLAG.test : 0) |
          (isExported ? DEFINITION_FLAG.exported : 0) |
          (isPrototype ? DEFINITION_FLAG.prototype : 0),
        signature,
      );
    }
    for (const [at, { kind, line, column, inside, receiver }] of symbols.references.entries()) {
      this.#run(
        'INSERT OR IGNORE INTO refs VALUES (?, ?, ?, ?, ?, ?, ?)',
        names[at] ?? 0,
        file,
        line,
        column,
        REFERENCE_KINDS.indexOf(kind),
        inside === undefined ? 0 : inside + 1,
        receiver === undefined ? 0 : receiver === '' ? LONG_RECEIVER : this.#nameId(receiver),
      );
    }
    for (const [nr, { name, imported, module, line }] of symbols.imports.entries()) {
      const ids = [name, imported, module].map((text) => this.#nameId(text));
      this.#run('INSERT INTO imports VALUES (?, ?, ?, ?, ?, ?)', file, nr, ...ids, line);
    }
  }

  #nameId(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const row = this.#prepare('SELECT id FROM names WHERE name = ?').get(name);
    const id = Number(
      row?.id ?? this.#prepare('INSERT INTO names (name) VALUES (?)').run(name).lastInsertRowid,
    );
    this.#names.set(name, id);
    return id;
  }

  #run(sql: string, ...values: readonly SqlValue[]): void {
    this.#prepare(sql).run(...values);
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#connection.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }
}

/** The ids of names that were used lately: when the newer ones are too many, they become the older ones. */
class KnownNames {
  #newer = new Map<string, number>();
  #older = new Map<string, number>();
  #characters = 0;

  get(name: string): number | undefined {
    const id = this.#newer.get(name);
    if (id !== undefined) return id;
    const old = this.#older.get(name);
    if (old !== undefined) this.set(name, old);
    return old;
  }

  set(name: string, id: number): void {
    const { most, characters } = KNOWN_NAMES;
    if (this.#newer.size >= most || this.#characters >= characters) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#characters = 0;
    }
    // A part of a file's text would keep the whole text.
    this.#newer.set(ownText(name), id);
    this.#characters += name.length;
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
    this.#characters = 0;
  }
}

function packSpans(spans: readonly LineSpan[] = []): Uint8Array | null {
  return spans.length === 0 ? null : packNumbers(spans.flatMap(({ from, to }) => [from, to]));
}
