import { countText, sizeText } from '../../../src/contract/people.ts';

/** A line of a job's report, in words. */
export interface ReportFact {
  readonly name: string;
  readonly value: string;
}

const SIZES = new Set(['size', 'disk_size', 'bytes']);
/** Said elsewhere on the page. */
const LEFT_OUT = new Set(['index_id', 'root', 'generation']);

/** A report as lines to read: sizes with their units, lists and parts spelled out. */
export function reportFacts(report: Readonly<Record<string, unknown>>): readonly ReportFact[] {
  return Object.entries(report)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => ({ name: words(name), value: worded(name, value) }));
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}

function worded(name: string, value: unknown): string {
  if (typeof value === 'number') return SIZES.has(name) ? sizeText(value) : countText(value);
  if (Array.isArray(value)) return value.map((part) => worded(name, part)).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const { name: named, ...facts } = value as Readonly<Record<string, unknown>>;
  const parts = Object.entries(facts).map(([key, part]) =>
    SIZES.has(key) ? worded(key, part) : `${worded(key, part)} ${words(key)}`,
  );
  return [...(named === undefined ? [] : [String(named)]), ...parts].join(' ');
}
