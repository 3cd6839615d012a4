import { expect, test } from 'vitest';
import type { AuditEntry, AuditLog } from './audit-log.ts';
import { createMetrics } from './metrics.ts';

const entry = (changes: Partial<AuditEntry>): AuditEntry => ({
  at: 0,
  client: 'a client',
  door: 'rest',
  operation: 'search',
  bytes_in: 0,
  bytes_out: 0,
  tokens: 0,
  ms: 20,
  outcome: 'ok',
  paged: false,
  ...changes,
});

test('calls are counted by operation, code and door, and their durations by operation', () => {
  const recorded: AuditEntry[] = [];
  const metrics = createMetrics();
  const audit = metrics.counting<AuditLog>({ record: (one) => void recorded.push(one) });
  audit.record(entry({}));
  audit.record(entry({ ms: 600 }));
  audit.record(entry({ outcome: 'not_found', client: 'another' }));
  expect(recorded.length).toBe(3);
  const gauges = [{ name: 'pinhole_waiting', help: 'Waiting.', values: [{ value: 2 }] }];
  expect(metrics.text(gauges).split('\n')).toEqual([
    '# HELP pinhole_calls_total Calls answered, by operation, code and door.',
    '# TYPE pinhole_calls_total counter',
    'pinhole_calls_total{operation="search",code="ok",door="rest"} 2',
    'pinhole_calls_total{operation="search",code="not_found",door="rest"} 1',
    '# HELP pinhole_call_duration_seconds How long calls took, by operation.',
    '# TYPE pinhole_call_duration_seconds histogram',
    'pinhole_call_duration_seconds_bucket{operation="search",le="0.005"} 0',
    'pinhole_call_duration_seconds_bucket{operation="search",le="0.025"} 2',
    'pinhole_call_duration_seconds_bucket{operation="search",le="0.1"} 2',
    'pinhole_call_duration_seconds_bucket{operation="search",le="0.5"} 2',
    'pinhole_call_duration_seconds_bucket{operation="search",le="1"} 3',
    'pinhole_call_duration_seconds_bucket{operation="search",le="5"} 3',
    'pinhole_call_duration_seconds_bucket{operation="search",le="30"} 3',
    'pinhole_call_duration_seconds_bucket{operation="search",le="+Inf"} 3',
    'pinhole_call_duration_seconds_sum{operation="search"} 0.64',
    'pinhole_call_duration_seconds_count{operation="search"} 3',
    '# HELP pinhole_waiting Waiting.',
    '# TYPE pinhole_waiting gauge',
    'pinhole_waiting 2',
    '',
  ]);
});

test('names that are made up do not fill the memory', () => {
  const metrics = createMetrics();
  const audit = metrics.counting<AuditLog>({ record: () => {} });
  for (let i = 0; i < 5_000; i++) audit.record(entry({ operation: `made-up-${i}` }));
  expect(metrics.text([]).match(/^pinhole_calls_total/gm)?.length).toBe(2_000);
});
