import { expect, onTestFinished, test, vi } from 'vitest';
import { progressLine } from './follow-job.ts';
import { sayOnInterrupt } from './index-first.ts';

test('Ctrl-C says that the scan continues and how to see or stop it, then ends; after the scan nothing listens', async () => {
  const written = vi.spyOn(process.stderr, 'write');
  onTestFinished(() => written.mockRestore());
  const before = process.listenerCount('SIGINT');
  await new Promise<void>((ended) => {
    sayOnInterrupt('j7', ended);
    // The listener that was added last, as the signal would call it.
    process.rawListeners('SIGINT').at(-1)?.call(process, 'SIGINT');
  });
  expect(String(written.mock.calls.at(-1)?.[0]).trimStart()).toBe(
    'The scan continues in the background. Progress: pinhole job j7. Stop it: pinhole job j7 --cancel\n',
  );
  expect(process.listenerCount('SIGINT')).toBe(before);
  sayOnInterrupt('j8', () => undefined)();
  expect(process.listenerCount('SIGINT')).toBe(before);
});

test('without a percentage the progress line shows the entries so far and the rate', () => {
  const card = {
    job_id: 'j7',
    kind: 'disk-index',
    status: 'running' as const,
    done: 8_237,
    unit: 'entries',
    started_at: '2026-01-01T00:00:00.000Z',
    status_url: '',
    progress_url: '',
  };
  const now = Date.parse('2026-01-01T00:00:02.000Z');
  expect(progressLine(card, 'scanning', now)).toBe('scanning  8,237 entries  4,119/s');
  expect(progressLine({ ...card, progress_pct: 50, eta_seconds: 3 }, 'scanning', now)).toMatch(
    / 50 % {2}8,237 entries {2}3s left$/,
  );
});
