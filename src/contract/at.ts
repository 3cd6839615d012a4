/*
 * Reads an index that must exist. A default such as `?? 0` would turn a wrong index into a wrong answer.
 *
 * There is one reader per kind of array, because V8 keeps the types seen by a function, not by its callers: a single
 * reader of every kind takes 35 times as long in a loop over a million rows. These cost nothing, except in the tightest
 * loops inside closures (up to a tenth), which can check the ends of their range once instead.
 */

/** An item of a list. */
export function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index];
  return item === undefined ? outOfRange(list, index) : item;
}

export function int8At(column: Int8Array, index: number): number {
  const value = column[index];
  return value === undefined ? outOfRange(column, index) : value;
}

export function uint8At(column: Uint8Array, index: number): number {
  const value = column[index];
  return value === undefined ? outOfRange(column, index) : value;
}

export function uint16At(column: Uint16Array, index: number): number {
  const value = column[index];
  return value === undefined ? outOfRange(column, index) : value;
}

export function int32At(column: Int32Array, index: number): number {
  const value = column[index];
  return value === undefined ? outOfRange(column, index) : value;
}

export function uint32At(column: Uint32Array, index: number): number {
  const value = column[index];
  return value === undefined ? outOfRange(column, index) : value;
}

export function float32At(column: Float32Array, index: number): number {
  const value = column[index];
  return value === undefined ? outOfRange(column, index) : value;
}

export function float64At(column: Float64Array, index: number): number {
  const value = column[index];
  return value === undefined ? outOfRange(column, index) : value;
}

function outOfRange({ length }: { readonly length: number }, index: number): never {
  throw new RangeError(`Index ${index} is out of range: there are ${length} entries.`);
}
