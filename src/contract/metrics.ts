import type { AuditEntry, AuditLog } from './audit-log.ts';

/** Upper ends of the groups of durations, in seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 5, 30] as const;
/** Operations counted under their own name. There are fewer, so this only stops made-up names from filling the memory. */
const MAX_SERIES = 2_000;

/** One line of numbers for a monitoring system, or several with different labels. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly kind?: 'gauge' | 'counter';
  readonly values: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

export interface CallMetrics {
  /** Counts what the audit records. */
  counting<Log extends AuditLog>(audit: Log): Log;
  /** Everything in the text format of Prometheus, with gauges that were read now. */
  text(gauges: readonly Gauge[]): string;
}

interface Durations {
  count: number;
  sum: number;
  readonly buckets: number[];
}

/** Counts calls by operation and outcome since the process began. Labels only have values from our own lists. */
export function createMetrics(): CallMetrics {
  const calls = new Map<string, { readonly labels: Readonly<Record<string, string>>; count: number }>();
  const durations = new Map<string, Durations>();

  function count({ operation, outcome, door, ms }: AuditEntry): void {
    const key = `${operation} ${outcome} ${door}`;
    const known = calls.get(key);
    if (known !== undefined) known.count++;
    else if (calls.size < MAX_SERIES)
      calls.set(key, { labels: { operation, code: outcome, door }, count: 1 });
    const seconds = ms / 1000;
    const lasted = durations.get(operation) ?? { count: 0, sum: 0, buckets: BUCKETS.map(() => 0) };
    if (durations.size < MAX_SERIES) durations.set(operation, lasted);
    lasted.count++;
    lasted.sum += seconds;
    for (const [at, end] of BUCKETS.entries())
      if (seconds <= end) lasted.buckets[at] = (lasted.buckets[at] ?? 0) + 1;
  }

  return {
    counting: (audit) => ({
      ...audit,
      record(entry, glance) {
        count(entry);
        audit.record(entry, glance);
      },
    }),
    text(gauges) {
      const lines = [
        ...written({
          name: 'pinhole_calls_total',
          help: 'Calls answered, by operation, code and door.',
          kind: 'counter',
          values: [...calls.values()].map(({ labels, count: value }) => ({ labels, value })),
        }),
        '# HELP pinhole_call_duration_seconds How long calls took, by operation.',
        '# TYPE pinhole_call_duration_seconds histogram',
        ...[...durations].flatMap(([operation, lasted]) => histogram(operation, lasted)),
        ...gauges.flatMap(written),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}

function histogram(operation: string, { count, sum, buckets }: Durations): readonly string[] {
  const name = 'pinhole_call_duration_seconds';
  const line = (end: string, value: number) => `${name}_bucket${labelsOf({ operation, le: end })} ${value}`;
  return [
    ...BUCKETS.map((end, at) => line(String(end), buckets[at] ?? 0)),
    line('+Inf', count),
    `${name}_sum${labelsOf({ operation })} ${Math.round(sum * 1000) / 1000}`,
    `${name}_count${labelsOf({ operation })} ${count}`,
  ];
}

function written({ name, help, kind = 'gauge', values }: Gauge): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    ...values.map(({ labels, value }) => `${name}${labelsOf(labels ?? {})} ${value}`),
  ];
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, '_')}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}
