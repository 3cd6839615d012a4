import type { Database, SqlRow } from '../../store/database.ts';
import type { FileShape } from './file-shape.ts';
import type {
  Definition,
  FileSymbols,
  Import,
  LineSpan,
  Reference,
  ReferenceKind,
  SymbolKind,
} from './file-symbols.ts';
import { unpackAscending, unpackNumbers } from './number-lists.ts';
import { qualifiedName } from './qualified-names.ts';
import {
  DEFINITION_FLAG,
  FILE_FLAG,
  FILE_SHIFT,
  LONG_RECEIVER,
  REFERENCE_KINDS,
  SYMBOL_KINDS,
} from './symbol-schema.ts';
import type { FileStamp } from './symbol-writer.ts';

/** A definition with its place in the tree. */
export interface SymbolRow extends Definition {
  readonly path: string;
  /** Its index among the definitions of the file. */
  readonly nr: number;
  /** The qualified name of what encloses it; '' at the top of the file. */
  readonly scope: string;
}

export interface ReferenceRow extends Reference {
  readonly path: string;
  readonly isTest: boolean;
}

export interface ImportRow extends Import {
  readonly path: string;
}

interface StoredFile {
  readonly hash: string | undefined;
  readonly definitions: readonly SymbolRow[];
  readonly imports: readonly ImportRow[];
}

/** What encloses a definition. */
export type DefinitionHead = Pick<SymbolRow, 'path' | 'nr' | 'kind' | 'signature'>;

const DEFINITIONS = `SELECT d.id, n.name, s.name AS scope, d.kind, d.line, d.col, d.first, d.last, d.parent, d.flags, d.signature, f.path
  FROM definitions d JOIN names n ON n.id = d.name LEFT JOIN names s ON s.id = d.scope JOIN files f ON f.id = d.id / ${FILE_SHIFT}`;
const REFERENCES = `SELECT n.name, f.path, f.flags, r.line, r.col, r.kind, r.inside, r.receiver, v.name AS receiver_name
  FROM refs r JOIN names n ON n.id = r.name JOIN files f ON f.id = r.file LEFT JOIN names v ON v.id = r.receiver`;
const IMPORTS = `SELECT n.name, i.name AS imported, m.name AS module, p.line, f.path
  FROM imports p JOIN names n ON n.id = p.name JOIN names i ON i.id = p.imported JOIN names m ON m.id = p.module
  JOIN files f ON f.id = p.file`;

/** The references of one file, given its names as JSON and its id: they are stored by name. */
const IN_FILE = 'WHERE r.name IN (SELECT value FROM json_each(?)) AND r.file = ?';

const HEADS_AROUND = `SELECT DISTINCT f.path, d.parent, p.kind, p.signature FROM definitions d
  JOIN definitions p ON p.id = d.id / ${FILE_SHIFT} * ${FILE_SHIFT} + d.parent - 1 JOIN files f ON f.id = d.id / ${FILE_SHIFT}
  WHERE d.name = (SELECT id FROM names WHERE name = ?) AND d.parent > 0`;

const STAMPS_AT_ONCE = 10_000;

/** Reads the database of a tree. */
export class SymbolRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The files that are stored, as they were when they were read, some at a time: those of a large tree fill memory. */
  async *stamps(): AsyncGenerator<readonly (FileStamp & { readonly path: string })[], undefined> {
    for (let last = -1, more = true; more; ) {
      const rows = await this.#database.all(
        'SELECT id, path, size, mtime, ctime, hash FROM files WHERE id > ? ORDER BY id LIMIT ?',
        last,
        STAMPS_AT_ONCE,
      );
      yield rows.map(({ path, size, mtime, ctime, hash }) => ({
        path: String(path),
        size: Number(size),
        mtimeMs: Number(mtime),
        ctimeMs: Number(ctime),
        hash: String(hash),
      }));
      last = Number(rows.at(-1)?.id ?? last);
      more = rows.length === STAMPS_AT_ONCE;
    }
  }

  /** The hash of the text that a file's rows are from. */
  async hashOf(path: string): Promise<string | undefined> {
    const row = await this.#database.get('SELECT hash FROM files WHERE path = ?', path);
    return row === undefined ? undefined : String(row.hash);
  }

  async definitionsNamed(name: string): Promise<readonly SymbolRow[]> {
    const rows = await this.#database.all(
      `${DEFINITIONS} WHERE d.name = (SELECT id FROM names WHERE name = ?)`,
      name,
    );
    return rows.map(symbolRow);
  }

  async definitionsIn(path: string): Promise<readonly SymbolRow[]> {
    const row = await this.#database.get('SELECT id FROM files WHERE path = ?', path);
    return row === undefined ? [] : this.#definitionsOf(Number(row.id));
  }

  /** What is stored about a file, except for its references, with the hash of the text that it is from. */
  async storedFile(path: string): Promise<StoredFile> {
    const row = await this.#database.get('SELECT id, hash FROM files WHERE path = ?', path);
    if (row === undefined) return { hash: undefined, definitions: [], imports: [] };
    const id = Number(row.id);
    return {
      hash: String(row.hash),
      definitions: await this.#definitionsOf(id),
      imports: await this.#importsOf(id),
    };
  }

  async #importsOf(file: number): Promise<readonly ImportRow[]> {
    const rows = await this.#database.all(`${IMPORTS} WHERE p.file = ? ORDER BY p.nr`, file);
    return rows.map(importRow);
  }

  async #definitionsOf(file: number): Promise<readonly SymbolRow[]> {
    const rows = await this.#database.all(
      `${DEFINITIONS} WHERE d.id BETWEEN ? AND ? ORDER BY d.id`,
      file * FILE_SHIFT,
      (file + 1) * FILE_SHIFT - 1,
    );
    return withOwners(rows.map(symbolRow));
  }

  /** The heads of what encloses the definitions with a name. */
  async headsAround(name: string): Promise<readonly DefinitionHead[]> {
    const rows = await this.#database.all(HEADS_AROUND, name);
    return rows.map(({ path, parent, kind, signature }) => ({
      path: String(path),
      nr: Number(parent) - 1,
      kind: kindAt<SymbolKind>(SYMBOL_KINDS, kind),
      signature: String(signature),
    }));
  }

  async referencesNamed(name: string): Promise<readonly ReferenceRow[]> {
    const rows = await this.#database.all(
      `${REFERENCES} WHERE r.name = (SELECT id FROM names WHERE name = ?) ORDER BY f.path, r.line, r.col`,
      name,
    );
    return rows.map(referenceRow);
  }

  /** Where files import this name from another module. */
  async importsOf(imported: string): Promise<readonly ImportRow[]> {
    const rows = await this.#database.all(
      `${IMPORTS} WHERE p.imported = (SELECT id FROM names WHERE name = ?)`,
      imported,
    );
    return rows.map(importRow);
  }

  /** The names of definitions. */
  async definedNames(): Promise<readonly string[]> {
    const rows = await this.#database.all(
      'SELECT name FROM names WHERE id IN (SELECT name FROM definitions)',
    );
    return rows.map(({ name }) => String(name));
  }

  /** Everything that is stored about a file; undefined if it was not parsed. */
  async fileSymbols(path: string): Promise<FileSymbols | undefined> {
    const file = await this.#parsed(path);
    if (file === undefined) return undefined;
    const rows = await this.#database.all(
      `${REFERENCES} ${IN_FILE} ORDER BY r.line, r.col`,
      namesIn(file),
      Number(file.id),
    );
    return {
      ...parsedFile(file),
      definitions: await this.definitionsIn(path),
      references: rows.map(reference),
      imports: await this.#importsOf(Number(file.id)),
    };
  }

  /** What is stored about the lines of a file; undefined if it was not parsed. */
  async fileShape(path: string): Promise<FileShape | undefined> {
    const file = await this.#parsed(path);
    if (file === undefined) return undefined;
    const id = Number(file.id);
    const lines = await this.#database.all(
      `SELECT line FROM imports WHERE file = ? UNION SELECT r.line FROM refs r ${IN_FILE} AND r.kind = ${REFERENCE_KINDS.indexOf('import')}`,
      id,
      namesIn(file),
      id,
    );
    return {
      ...parsedFile(file),
      definitions: await this.definitionsIn(path),
      importLines: lines.map(({ line }) => Number(line)),
    };
  }

  /** The row of a file that was parsed. */
  async #parsed(path: string): Promise<SqlRow | undefined> {
    const file = await this.#database.get(
      'SELECT id, language, lines, flags, names, comments, tests FROM files WHERE path = ?',
      path,
    );
    return file === undefined || (Number(file.flags) & FILE_FLAG.parsed) === 0 ? undefined : file;
  }
}

function namesIn({ names }: SqlRow): string {
  return JSON.stringify(names instanceof Uint8Array ? unpackAscending(names) : []);
}

function parsedFile({ language, lines, comments, tests }: SqlRow) {
  return {
    language: String(language),
    lines: Number(lines),
    comments: spans(comments),
    tests: spans(tests),
  };
}

/** Adds the owner to a file's definitions that belong to a type which does not enclose them. */
function withOwners(rows: readonly SymbolRow[]): readonly SymbolRow[] {
  return rows.map((row) => {
    const parent = row.parent === undefined ? undefined : rows[row.parent];
    const around = parent === undefined ? '' : qualifiedName(parent);
    if (row.scope === around) return row;
    return { ...row, owner: around === '' ? row.scope : row.scope.slice(around.length + 1) };
  });
}

function symbolRow(row: SqlRow): SymbolRow {
  const flags = Number(row.flags);
  const parent = Number(row.parent);
  return {
    path: String(row.path),
    nr: Number(row.id) % FILE_SHIFT,
    name: String(row.name),
    scope: row.scope === null ? '' : String(row.scope),
    kind: kindAt<SymbolKind>(SYMBOL_KINDS, row.kind),
    line: Number(row.line),
    column: Number(row.col),
    from: Number(row.first),
    to: Number(row.last),
    ...(parent === 0 ? {} : { parent: parent - 1 }),
    signature: String(row.signature),
    isTest: (flags & DEFINITION_FLAG.test) !== 0,
    isExported: (flags & DEFINITION_FLAG.exported) !== 0,
    isPrototype: (flags & DEFINITION_FLAG.prototype) !== 0,
  };
}

function reference(row: SqlRow): Reference {
  const inside = Number(row.inside);
  const receiver = Number(row.receiver);
  return {
    name: String(row.name),
    kind: kindAt<ReferenceKind>(REFERENCE_KINDS, row.kind),
    line: Number(row.line),
    column: Number(row.col),
    ...(inside === 0 ? {} : { inside: inside - 1 }),
    ...(receiver === 0 ? {} : { receiver: receiver === LONG_RECEIVER ? '' : String(row.receiver_name) }),
  };
}

function referenceRow(row: SqlRow): ReferenceRow {
  return {
    ...reference(row),
    path: String(row.path),
    isTest: (Number(row.flags) & FILE_FLAG.test) !== 0,
  };
}

function importRow({ name, imported, module, line, path }: SqlRow): ImportRow {
  return {
    name: String(name),
    imported: String(imported),
    module: String(module),
    line: Number(line),
    path: String(path),
  };
}

function kindAt<Kind>(kinds: readonly Kind[], value: SqlRow[string] | undefined): Kind {
  const kind = kinds[Number(value)];
  if (kind === undefined) throw new Error(`database disk image is malformed: kind ${String(value)}`);
  return kind;
}

function spans(packed: SqlRow[string] | undefined): LineSpan[] {
  if (!(packed instanceof Uint8Array)) return [];
  const numbers = unpackNumbers(packed);
  return numbers.flatMap((from, at) => (at % 2 === 0 ? [{ from, to: numbers[at + 1] ?? from }] : []));
}
