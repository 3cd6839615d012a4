import { afterAll, expect, test } from 'vitest';
import { sampleDesk } from '../../../test/fixtures/sessions/sample.ts';

const { desk } = await sampleDesk();
afterAll(() => desk.close());

test('sorted by any column', async () => {
  const groups = async (sort: string | undefined) =>
    (await desk.ask('usage', { by: 'model', sort })).data.usage.map((line: { group: string }) => line.group);
  expect(await groups(undefined)).toEqual(['claude-opus-4-5', 'gemini-2.5-pro']);
  expect(await groups('input')).toEqual(['gemini-2.5-pro', 'claude-opus-4-5']);
  expect(await groups('output')).toEqual(['claude-opus-4-5', 'gemini-2.5-pro']);
  expect(await groups('group')).toEqual(['gemini-2.5-pro', 'claude-opus-4-5']);
});
