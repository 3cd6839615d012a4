import { expect, onTestFinished, test, vi } from 'vitest';
import { sayOnInterrupt } from './index-first.ts';
import { progressLine } from './progress.ts';

test('Ctrl-C says that the scan goes on and how to see or stop it, then ends; after the scan it is left alone', async () => {
  const written = vi.spyOn(process.stderr, 'write');
  onTestFinished(() => written.mockRestore());
  const before = process.listenerCount('SIGINT');
  await new Promise<void>((ended) => {
    sayOnInterrupt('j7', ended);
    // The listener that was added last, as the signal would call it.
    process.rawListeners('SIGINT').at(-1)?.call(process, 'SIGINT');
  });
  expect(String(written.mock.calls.at(-1)?.[0]).trimStart()).toBe(
    'The scan goes on in the background. pinhole job j7 shows how far it is, pinhole job j7 --cancel stops it.\n',
  );
  expect(process.listenerCount('SIGINT')).toBe(before);
  sayOnInterrupt('j8', () => undefined)();
  expect(process.listenerCount('SIGINT')).toBe(before);
});

test('without a share the line of progress has the entries so far and the rate', () => {
  const card = {
    job_id: 'j7',
    kind: 'disk-index',
    status: 'running' as const,
    done: 8_237,
    unit: 'entries',
    started_at: '2026-01-01T00:00:00.000Z',
    status_url: '',
  };
  const now = Date.parse('2026-01-01T00:00:02.000Z');
  expect(progressLine(card, 'scanning', now)).toBe('scanning  8,237 entries  4,119/s');
  expect(progressLine({ ...card, progress_pct: 50, eta_seconds: 3 }, 'scanning', now)).toMatch(
    / 50 % {2}8,237 entries {2}3s left$/,
  );
});
