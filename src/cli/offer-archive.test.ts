import { expect, test } from 'vitest';
import { archiveCost } from './offer-archive.ts';

test('the offer says how large the logs and their copies are', () => {
  expect(archiveCost({ logs: 213, bytes: 1_400_000_000, packed: 96_000_000 })).toContain(
    'those of your 213 logs (1.4 GB) would take about 96.0 MB, compressed, redacted and readable only by you.',
  );
});
