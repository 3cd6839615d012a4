/** What a UTF-16 unit is to the tokenizer's first split; letters come last, so that `>= LOWER` means a letter. */
export const NEWLINE = 0;
export const SPACE = 1;
export const DIGIT = 2;
export const SYMBOL = 3;
export const LOWER = 4;
export const UPPER = 5;
/** A letter without case, or a mark on one. */
const LETTER = 6;

/** The class of every UTF-16 unit; a table, because the estimate asks for each character of a text. */
export const CLASSES = new Uint8Array(0x10000).fill(SYMBOL);

// Which characters the scripts have; enough to tell letters from symbols in text that people write.
const RANGES: readonly (readonly [kind: number, first: number, last: number])[] = [
  [SPACE, 0x09, 0x0d],
  [NEWLINE, 0x0a, 0x0a],
  [NEWLINE, 0x0d, 0x0d],
  [SPACE, 0x20, 0x20],
  [DIGIT, 0x30, 0x39],
  [UPPER, 0x41, 0x5a],
  [LOWER, 0x61, 0x7a],
  [SPACE, 0xa0, 0xa0],
  [LOWER, 0xaa, 0xaa],
  [LOWER, 0xb5, 0xb5],
  [LOWER, 0xba, 0xba],
  [UPPER, 0xc0, 0xde],
  [LOWER, 0xdf, 0x24f],
  [SYMBOL, 0xd7, 0xd7],
  [SYMBOL, 0xf7, 0xf7],
  [LETTER, 0x250, 0x36f],
  [UPPER, 0x370, 0x3ab],
  [LOWER, 0x3ac, 0x3ff],
  [UPPER, 0x400, 0x42f],
  [LOWER, 0x430, 0x52f],
  [LETTER, 0x530, 0x1fff],
  [SPACE, 0x2000, 0x200a],
  [SPACE, 0x2028, 0x2029],
  [SPACE, 0x202f, 0x202f],
  [SPACE, 0x205f, 0x205f],
  [SPACE, 0x3000, 0x3000],
  [LETTER, 0x3005, 0x3005],
  [LETTER, 0x3040, 0xd7ff],
  [SYMBOL, 0x30fb, 0x30fb],
  [LETTER, 0xf900, 0xfdff],
  [SPACE, 0xfeff, 0xfeff],
  [LETTER, 0xff21, 0xff5a],
  [LETTER, 0xff66, 0xff9f],
];
for (const [kind, first, last] of RANGES) CLASSES.fill(kind, first, last + 1);
// Beyond Latin-1, and in the extensions of Cyrillic, capitals and small letters alternate.
for (let code = 0x100; code < 0x250; code += 2) CLASSES[code] = UPPER;
for (let code = 0x460; code < 0x530; code += 2) CLASSES[code] = UPPER;
