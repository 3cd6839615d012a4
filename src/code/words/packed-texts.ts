import { uint32At } from '../../contract/at.ts';
import { type ByteSource, memoryBytes, memoryNumbers, type NumberSource } from './byte-source.ts';

/** Many short texts in one array: text n is between textAt[n] and textAt[n + 1]. */
export interface PackedTexts {
  readonly textAt: NumberSource;
  readonly textBytes: ByteSource;
}

/** Packs texts, so that they take no heap memory and can be stored in a file as they are. */
export function packTexts(texts: readonly string[]): PackedTexts {
  const textAt = new Uint32Array(texts.length + 1);
  const parts = texts.map((text, number) => {
    const bytes = Buffer.from(text);
    textAt[number + 1] = uint32At(textAt, number) + bytes.length;
    return bytes;
  });
  return { textAt: memoryNumbers(textAt), textBytes: memoryBytes(Buffer.concat(parts)) };
}

/** One of the texts. */
export function unpackText({ textAt, textBytes }: PackedTexts, number: number): string {
  const place = textAt.read(number, number + 2);
  const { buffer, byteOffset, length } = textBytes.read(uint32At(place, 0), uint32At(place, 1));
  return Buffer.from(buffer, byteOffset, length).toString('utf8');
}
