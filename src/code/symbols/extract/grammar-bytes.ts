/** How a WebAssembly file says which memory it needs: once `dylink`, today `dylink.0` with the same numbers inside. */
const OLD_NAME = 'dylink';
const NEW_NAME = 'dylink.0';
const HEADER_BYTES = 8;
/** The part of a `dylink.0` section with sizes of memory and table. */
const MEMORY_PART = 1;

/** A grammar as web-tree-sitter reads it: one that an older compiler built has its first section rewritten. */
export function currentGrammar(bytes: Uint8Array): Uint8Array {
  const section = readNumber(bytes, HEADER_BYTES + 1);
  const nameLength = readNumber(bytes, section.next);
  const nameEnd = nameLength.next + nameLength.value;
  if (new TextDecoder().decode(bytes.subarray(nameLength.next, nameEnd)) !== OLD_NAME) return bytes;
  let end = nameEnd;
  for (let numbers = 0; numbers < 4; numbers++) end = readNumber(bytes, end).next;
  const sizes = bytes.subarray(nameEnd, end);
  const name = new TextEncoder().encode(NEW_NAME);
  const payload = [name.length, ...name, MEMORY_PART, sizes.length, ...sizes];
  const rest = bytes.subarray(section.next + section.value);
  const current = new Uint8Array(HEADER_BYTES + 2 + payload.length + rest.length);
  current.set(bytes.subarray(0, HEADER_BYTES));
  current.set([0, payload.length, ...payload], HEADER_BYTES);
  current.set(rest, HEADER_BYTES + 2 + payload.length);
  return current;
}

/** A number in the variable length of WebAssembly, and where the next byte is. */
function readNumber(bytes: Uint8Array, from: number): { readonly value: number; readonly next: number } {
  let value = 0;
  let next = from;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[next++] ?? 0;
    value |= (byte & 127) << shift;
    if (byte < 128) return { value: value >>> 0, next };
  }
}
