import { countText, sizeText } from '../ui/format.ts';

/** A line of a job's report, in plain English. */
export interface ReportFact {
  readonly name: string;
  readonly value: string;
}

const SIZES = new Set(['size', 'disk_size', 'bytes']);
/** Shown elsewhere on the page. */
const OMITTED = new Set(['index_id', 'root', 'generation']);

/** A report as lines of text: sizes with units, lists and parts spelled out. */
export function reportFacts(report: Readonly<Record<string, unknown>>): readonly ReportFact[] {
  return Object.entries(report)
    .filter(([name]) => !OMITTED.has(name))
    .map(([name, value]) => ({ name: labelOf(name), value: valueText(name, value) }));
}

/** Names that read badly as they are. */
const NAMES: Readonly<Record<string, string>> = { top: 'largest', rest: 'other', dirs: 'folders' };

function labelOf(name: string): string {
  return NAMES[name] ?? name.replaceAll('_', ' ');
}

function valueText(name: string, value: unknown): string {
  if (typeof value === 'number') return SIZES.has(name) ? sizeText(value) : countText(value);
  if (Array.isArray(value)) return value.map((part) => valueText(name, part)).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const { name: named, ...facts } = value as Readonly<Record<string, unknown>>;
  const parts = Object.entries(facts).map(([key, part]) =>
    SIZES.has(key) ? valueText(key, part) : `${valueText(key, part)} ${labelOf(key)}`,
  );
  return [...(named === undefined ? [] : [String(named)]), ...parts].join(' ');
}
