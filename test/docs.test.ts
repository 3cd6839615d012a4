import { expect, test } from 'vitest';
import { apiReference } from '../scripts/api-reference.ts';
import { OPERATIONS } from '../src/app/operations.ts';
import { openApi } from '../src/http/openapi.ts';

// `npm run docs` writes the files; this test checks that they are up to date.
test('docs/api is made from the operation list', async () => {
  await expect(apiReference(OPERATIONS)).toMatchFileSnapshot('../docs/api/reference.md');
  await expect(`${JSON.stringify(openApi(OPERATIONS), undefined, 2)}\n`).toMatchFileSnapshot(
    '../docs/api/openapi.json',
  );
});
