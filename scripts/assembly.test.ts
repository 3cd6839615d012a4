import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compiled, compiledFile, MODULES } from './assembly.mjs';

test.each(MODULES)('$name is what its source compiles to; if not, run npm run assembly', async (one) => {
  expect(readFileSync(compiledFile(one), 'utf8')).toBe(await compiled(one));
});
