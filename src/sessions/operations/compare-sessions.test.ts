import { afterAll, expect, test } from 'vitest';
import { A, B, sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('two sessions side by side', async () => {
  const { data } = await desk.ask('compare_sessions', { a: A, b: B });
  expect(data).toMatchObject({ a: { turns: 2 }, b: { turns: 1 }, tools: { Bash: [4, 0], Read: [1, 1] } });
  expect(data.parts_at).toMatchObject({
    call: 0,
    a: { action: 'read src/a.ts' },
    b: { action: 'read src/b.ts' },
  });
});
