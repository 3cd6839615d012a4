import { expect, test } from 'vitest';
import { ageText } from './age-text.ts';

const DAY = 86_400_000;

test('an age is told in the unit that people would use', () => {
  const ages = [0.05, 1, 1.4, 2, 59, 213, 2400].map((days) => ageText(0, days * DAY));
  expect(ages).toEqual([
    '1h ago',
    '1 day ago',
    '1 day ago',
    '2 days ago',
    '59 days ago',
    '7 months ago',
    '6.6 years ago',
  ]);
});
