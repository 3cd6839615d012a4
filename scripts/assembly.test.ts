import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compiled, compiledFile } from './assembly.mjs';

test('the scanner of lines is what its source compiles to; if not, run npm run assembly', async () => {
  expect(readFileSync(compiledFile, 'utf8')).toBe(await compiled());
});
