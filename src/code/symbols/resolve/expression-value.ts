import type { FileFacts } from './question-files.ts';
import type { Bound, TypeRef } from './type-parameters.ts';
import { argument } from './type-shapes.ts';

/** What an expression is, as far as the text tells. */
export type Value =
  /** Something of a type. */
  | { readonly type: TypeRef }
  /** A class, an enum or similar itself, or the types of what `{ ...a, own: 1 }` spreads, without its own keys. */
  | { readonly symbols: readonly Bound[]; readonly own?: ReadonlySet<string> }
  | { readonly modules: readonly string[] }
  /** Functions and methods: overloads of one. */
  | { readonly callable: readonly Bound[] }
  /** A function of the language, by its result. */
  | { readonly result: TypeRef | undefined }
  /** A function that is written where it is used. */
  | { readonly written: string; readonly place: Place }
  | 'elsewhere';

/** Where an expression is. */
export interface Place {
  readonly facts: FileFacts;
  readonly offset: number;
  readonly inside: number | undefined;
  /** Whether it is the key of an object. */
  readonly isKey?: boolean;
  /** The functions whose results are being inferred for it, as keys. */
  readonly inferring?: readonly string[] | undefined;
}

/** The part of a call between its brackets. */
export interface Call {
  readonly types: string;
  readonly values: string;
  readonly place: Place;
}

/** The type of a value, if it has one. */
export function typeIn(value: Value | undefined): TypeRef | undefined {
  return value !== undefined && value !== 'elsewhere' && 'type' in value ? value.type : undefined;
}

/** The value that a promise resolves to. */
export function awaited(value: Value | undefined): Value | undefined {
  const type = typeIn(value);
  if (type === undefined) return value;
  const inner = /^(?:Promise|PromiseLike|Awaited)\s*</.test(type.text) ? argument(type, 0) : undefined;
  return inner === undefined ? value : { type: inner };
}
