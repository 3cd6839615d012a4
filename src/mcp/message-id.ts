/** The id of a JSON-RPC message; null if it has none. */
export type MessageId = string | number | null;

export interface IdFinder {
  read(bytes: Uint8Array): void;
  id(): MessageId;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const MAX_ID_CHARACTERS = 200;

/**
 * Finds the id of a message that is too large to parse, piece by piece: the value of the key `id` of the outermost
 * object. Of everything else it only tracks the depth.
 */
export function createIdFinder(): IdFinder {
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** The key or value being read, if it belongs to the outermost object and is short. */
  let text = '';
  let key = '';
  let found = '';

  const endValue = () => {
    if (key === '"id"') found = text.trim();
    key = '';
    text = '';
  };
  const keep = (byte: number) => {
    if (depth === 1 && text.length < MAX_ID_CHARACTERS) text += String.fromCharCode(byte);
  };
  const step = (byte: number) => {
    if (inString) {
      keep(byte);
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) inString = false;
      return;
    }
    if (byte === QUOTE) {
      inString = true;
      keep(byte);
    } else if (OPENING.has(byte)) {
      depth++;
    } else if (CLOSING.has(byte)) {
      if (depth === 1) endValue();
      depth--;
    } else if (depth === 1 && byte === COLON) {
      key = text.trim();
      text = '';
    } else if (depth === 1 && byte === COMMA) {
      endValue();
    } else {
      keep(byte);
    }
  };

  return {
    read(bytes) {
      for (const byte of bytes) step(byte);
    },
    id: () => asId(found),
  };
}

function asId(text: string): MessageId {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' || typeof value === 'number' ? value : null;
  } catch {
    return null;
  }
}
