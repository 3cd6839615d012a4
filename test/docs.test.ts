import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { apiReference } from '../scripts/api-reference.ts';
import { OPERATIONS } from '../src/app/operations.ts';
import { openApi } from '../src/http/openapi.ts';
import { withCosts } from './clients/cost.ts';

// `npm run docs` writes the files; this test checks that they are up to date.
test('docs/api is made from the operation list', async () => {
  await expect(apiReference(OPERATIONS)).toMatchFileSnapshot('../docs/api/reference.md');
  await expect(
    `${JSON.stringify(openApi(OPERATIONS, 'http://127.0.0.1:4747'), undefined, 2)}\n`,
  ).toMatchFileSnapshot('../docs/api/openapi.json');
});

test('docs/clients.md says what the tool list costs', async () => {
  const file = resolve('docs/clients.md');
  await expect(withCosts(readFileSync(file, 'utf8'))).toMatchFileSnapshot(file);
});
