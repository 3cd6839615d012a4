/** Packs non-negative numbers: 7 bits per byte; the high bit says that more follow. */
export function packNumbers(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (let number of numbers) {
    while (number > 127) {
      bytes.push((number % 128) + 128);
      number = Math.floor(number / 128);
    }
    bytes.push(number);
  }
  return Uint8Array.from(bytes);
}

export function unpackNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let number = 0;
  let scale = 1;
  for (const byte of bytes) {
    number += (byte & 127) * scale;
    scale *= 128;
    if (byte > 127) continue;
    numbers.push(number);
    number = 0;
    scale = 1;
  }
  return numbers;
}

/** The same for numbers in ascending order, by their differences. */
export function packAscending(numbers: readonly number[]): Uint8Array {
  return packNumbers(numbers.map((number, at) => number - (numbers[at - 1] ?? 0)));
}

export function unpackAscending(bytes: Uint8Array): number[] {
  let last = 0;
  return unpackNumbers(bytes).map((step) => {
    last += step;
    return last;
  });
}
