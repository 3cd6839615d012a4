import type { Migration } from '../../store/database.ts';
import type { ReferenceKind, SymbolKind } from './file-symbols.ts';

/** A definition's id is its file's id, shifted by this many bits, plus its index in the file. */
export const FILE_SHIFT = 2 ** 20;

export const FILE_FLAG = { test: 1, generated: 2, text: 4, parsed: 8 } as const;
export const DEFINITION_FLAG = { test: 1, exported: 2, prototype: 4 } as const;

/** Kinds are stored as their index in these lists. */
export const SYMBOL_KINDS: readonly SymbolKind[] = [
  'function',
  'method',
  'class',
  'struct',
  'interface',
  'trait',
  'enum',
  'type',
  'module',
  'macro',
  'constant',
  'variable',
  'field',
];
export const REFERENCE_KINDS: readonly ReferenceKind[] = ['call', 'other', 'type', 'import'];

/** The stored receiver of a reference if it is an expression that is more than a name. Names have ids above 0. */
export const LONG_RECEIVER = -1;

/**
 * The symbols of one source tree. It can be deleted, because it is built from the sources; all text in it is redacted.
 * References are kept by name, since that is how they are looked up; `files.names` says which names to look under for
 * those of one file. `scope` is the qualified name of what encloses a definition. `inside` and `parent` are places in
 * the file, from 1; 0 for none.
 *
 * A changed schema, or a change to what is read from files, gets a new number: an index with another number is rebuilt.
 */
export const SYMBOL_SCHEMA: readonly Migration[] = [
  {
    id: 9,
    name: 'symbols',
    sql: `
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE tree (root TEXT NOT NULL);
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  mtime REAL NOT NULL,
  ctime REAL NOT NULL,
  hash TEXT NOT NULL,
  language TEXT,
  lines INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  names BLOB,
  comments BLOB,
  tests BLOB
);
CREATE TABLE definitions (
  id INTEGER PRIMARY KEY,
  name INTEGER NOT NULL,
  scope INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  line INTEGER NOT NULL,
  col INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  signature TEXT NOT NULL
);
CREATE INDEX definitions_name ON definitions (name);
CREATE TABLE refs (
  name INTEGER NOT NULL,
  file INTEGER NOT NULL,
  line INTEGER NOT NULL,
  col INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  inside INTEGER NOT NULL,
  receiver INTEGER NOT NULL,
  PRIMARY KEY (name, file, line, col)
) WITHOUT ROWID;
CREATE TABLE imports (
  file INTEGER NOT NULL,
  nr INTEGER NOT NULL,
  name INTEGER NOT NULL,
  imported INTEGER NOT NULL,
  module INTEGER NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY (file, nr)
) WITHOUT ROWID;
CREATE INDEX imports_imported ON imports (imported);
`,
  },
];
