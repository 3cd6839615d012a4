import { uint32At } from '../../contract/at.ts';
/** Many short texts in one array: text n is between textAt[n] and textAt[n + 1]. */
export interface PackedTexts {
  readonly textAt: Uint32Array;
  readonly textBytes: Uint8Array;
}

/** Packs texts, so that they take no heap memory and can be stored in a file as they are. */
export function packTexts(texts: readonly string[]): PackedTexts {
  const textAt = new Uint32Array(texts.length + 1);
  const parts = texts.map((text, number) => {
    const bytes = Buffer.from(text);
    textAt[number + 1] = uint32At(textAt, number) + bytes.length;
    return bytes;
  });
  return { textAt, textBytes: Buffer.concat(parts) };
}

/** One of the texts. */
export function unpackText({ textAt, textBytes }: PackedTexts, number: number): string {
  const { buffer, byteOffset } = textBytes;
  const from = uint32At(textAt, number);
  return Buffer.from(buffer, byteOffset + from, uint32At(textAt, number + 1) - from).toString('utf8');
}
