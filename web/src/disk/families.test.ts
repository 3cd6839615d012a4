import { expect, test } from 'vitest';
import { FAMILIES, familyOf } from './families.ts';

test('an extension belongs to one family', () => {
  const all = FAMILIES.flatMap(({ extensions }) => extensions);
  expect(new Set(all).size).toBe(all.length);
  expect(familyOf('MP4')?.id).toBe('video');
  expect(familyOf('safetensors')?.label).toBe('Data, logs and models');
  expect(familyOf('33')).toBeUndefined();
});

test('families have different colours', () => {
  expect(new Set(FAMILIES.map(({ tone }) => tone)).size).toBe(FAMILIES.length);
});
