import { uint8At, uint32At } from '../../contract/at.ts';
import { SUBKEYS } from './trigram-keys.ts';

/** Adds the blocks of the wanted keys of an encoded group to a bitmap. */
export function readGroup(group: Uint8Array, subkeys: number, into: Uint32Array): void {
  const mask = uint8At(group, 0) | (uint8At(group, 1) << 8);
  let at = 2;
  for (let sub = 0; sub < SUBKEYS; sub++) {
    if (((mask >> sub) & 1) === 0) continue;
    let head = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = uint8At(group, at++);
      head |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const end = at + (head >> 1);
    if (((subkeys >> sub) & 1) === 1) {
      if ((head & 1) === 1) addBitmap(group, at, end, into);
      else addGaps(group, at, end, into);
    }
    at = end;
  }
}

function addBitmap(group: Uint8Array, from: number, to: number, into: Uint32Array): void {
  for (let at = from; at < to; at++) {
    const index = at - from;
    const word = index >> 2;
    into[word] = uint32At(into, word) | (uint8At(group, at) << ((index & 3) << 3));
  }
}

function addGaps(group: Uint8Array, from: number, to: number, into: Uint32Array): void {
  let block = -1;
  for (let at = from; at < to; ) {
    let gap = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = uint8At(group, at++);
      gap |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    block += gap + 1;
    into[block >> 5] = uint32At(into, block >> 5) | (1 << (block & 31));
  }
}
