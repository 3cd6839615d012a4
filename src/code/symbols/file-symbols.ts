/** The kinds of definitions. */
export type SymbolKind =
  | 'function'
  | 'method'
  | 'class'
  | 'struct'
  | 'interface'
  | 'trait'
  | 'enum'
  | 'type'
  | 'module'
  | 'macro'
  | 'constant'
  | 'variable'
  | 'field';

/** A place where a name gets its meaning. Lines count from 1, both ends included. */
export interface Definition {
  readonly name: string;
  readonly kind: SymbolKind;
  /** The line and the column (from 0, in UTF-16 units) of the name. */
  readonly line: number;
  readonly column: number;
  /** First and last line of the whole definition, with its decorators and attributes but without comments. */
  readonly from: number;
  readonly to: number;
  /** The index of the enclosing definition in `definitions`. */
  readonly parent?: number | undefined;
  /**
   * The type that it belongs to, if that does not enclose it: the receiver of a method in Go, an `impl` block in Rust.
   */
  readonly owner?: string | undefined;
  /** The head of the definition on one line, without the body. */
  readonly signature: string;
  readonly isTest: boolean;
  readonly isExported: boolean;
  /** Declares without a body what is defined elsewhere: a prototype, an overload, an abstract method. */
  readonly isPrototype: boolean;
}

export type ReferenceKind = 'call' | 'import' | 'type' | 'other';

/** A use of a name that is not bound to a local variable or parameter of the same file. */
export interface Reference {
  readonly name: string;
  readonly kind: ReferenceKind;
  readonly line: number;
  readonly column: number;
  /** The index of the innermost enclosing definition in `definitions`. */
  readonly inside?: number | undefined;
  /** What comes before the dot: `pool` in `pool.acquire()`, `this`, `Pool` in `Pool::new`; '' for a longer expression. */
  readonly receiver?: string | undefined;
}

/** A name that a file takes from another one: `import { imported as name } from 'module'`. */
export interface Import {
  readonly name: string;
  /** The name in the other module; `*` for all of it, `default` for its default. */
  readonly imported: string;
  readonly module: string;
  readonly line: number;
}

/** Lines from 1, both included. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

/** Everything that the syntax of one file says. */
export interface FileSymbols {
  readonly language: string;
  readonly lines: number;
  /** In the order of the text; a parent comes before its children. */
  readonly definitions: readonly Definition[];
  readonly references: readonly Reference[];
  readonly imports: readonly Import[];
  /** Lines that contain nothing but comments or documentation. */
  readonly comments: readonly LineSpan[];
  /** Test code inside the file, such as `mod tests`; the whole file if it is a test. */
  readonly tests: readonly LineSpan[];
}
