/** Many short texts in one array: text n lies between textAt[n] and textAt[n + 1]. */
export interface PackedTexts {
  readonly textAt: Uint32Array;
  readonly textBytes: Uint8Array;
}

/** Packs texts; they take no memory of the heap then, and can be read from a file as they are. */
export function packTexts(texts: readonly string[]): PackedTexts {
  const textAt = new Uint32Array(texts.length + 1);
  const parts = texts.map((text, number) => {
    const bytes = Buffer.from(text);
    textAt[number + 1] = (textAt[number] ?? 0) + bytes.length;
    return bytes;
  });
  return { textAt, textBytes: Buffer.concat(parts) };
}

/** One of the texts. */
export function unpackText({ textAt, textBytes }: PackedTexts, number: number): string {
  const { buffer, byteOffset } = textBytes;
  const from = textAt[number] ?? 0;
  return Buffer.from(buffer, byteOffset + from, (textAt[number + 1] ?? from) - from).toString('utf8');
}
