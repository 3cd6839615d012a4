import { oneLine } from '../../contract/bytes.ts';
import { countOf, countText, sizeText } from '../../contract/format.ts';
import { isObject } from '../../contract/guards.ts';
import type { TextStyle } from '../../contract/operation.ts';
import { localMinute } from '../../contract/zone.ts';
import type { JobReport } from '../jobs.ts';

/** Shown in the first line, or of no use to a reader. */
const OMITTED = new Set([
  'index_id',
  'root',
  'generation',
  'changed',
  'folders_read',
  'error_samples',
  'segments',
]);
const SIZES = new Set(['shared', 'grown']);

/** A job's report as terse lines: totals first, then the parts of lists, one line each. */
export function reportLines(report: JobReport, style: Pick<TextStyle, 'units' | 'zone'>): string[] {
  const { units } = style;
  const facts = Object.entries(report).filter(([name]) => !OMITTED.has(name));
  const totals = facts.flatMap(([name, value]) =>
    isObject(value) || Array.isArray(value) ? [] : [factText(name, value, units)],
  );
  const parts = facts.flatMap(([name, value]) => partLines(name, value, style));
  return [...(totals.length > 0 ? [totals.join(', ')] : []), ...parts];
}

function partLines(name: string, value: unknown, style: Pick<TextStyle, 'units' | 'zone'>): string[] {
  const { units } = style;
  if (Array.isArray(value)) return value.filter(isObject).map((one) => rowText(one, units));
  if (!isObject(value)) return [];
  if (name === 'growth') return growthLines(value, style);
  if (name === 'rest' && value.entries === 0) return [];
  if (name === 'rest')
    return [`${rowText({ size: value.size, name: `${String(value.entries)} more` }, units)}`];
  return [
    `${name.replaceAll('_', ' ')}: ${Object.entries(value)
      .map(([kind, count]) => `${String(count)} ${kind}`)
      .join(', ')}`,
  ];
}

/** What changed since an earlier scan, as a report has it. */
function growthLines(
  growth: Readonly<Record<string, unknown>>,
  { units, zone }: Pick<TextStyle, 'units' | 'zone'>,
): string[] {
  const folders = Array.isArray(growth.folders) ? growth.folders.filter(isObject) : [];
  const since = localMinute(String(growth.since), zone);
  if (folders.length === 0) return [`unchanged since ${since}`];
  const more =
    typeof growth.more_folders === 'number' ? [`${countOf(growth.more_folders, 'more folder')}`] : [];
  return [
    `since ${since}: ${changeText(growth, units)}`,
    ...folders.map((one) => changeText(one, units)),
    ...more,
  ];
}

/** `+1.2 MB 12 new 3 removed 300 modified logs/app` */
export function changeText(change: Readonly<Record<string, unknown>>, units: TextStyle['units']): string {
  const number = (name: string) => (typeof change[name] === 'number' ? change[name] : 0);
  const grown = number('grown');
  const counts = { new: number('added'), removed: number('removed'), modified: number('modified') };
  const path = typeof change.path === 'string' ? oneLine(change.path) || '.' : undefined;
  return [
    signed(grown, sizeText(Math.abs(grown), units)),
    ...Object.entries(counts).flatMap(([name, count]) =>
      count === 0 ? [] : [`${countText(count)} ${name}`],
    ),
    ...(path === undefined ? [] : [path]),
    ...(typeof change.state === 'string' ? [`(${change.state})`] : []),
  ].join(' ');
}

function signed(value: number, text: string): string {
  return `${value < 0 ? '-' : '+'}${text}`;
}

function rowText({ name, size }: Readonly<Record<string, unknown>>, units: TextStyle['units']): string {
  return `${typeof size === 'number' ? `${sizeText(size, units)} ` : ''}${oneLine(String(name))}`;
}

function factText(name: string, value: unknown, units: TextStyle['units']): string {
  if (typeof value !== 'number') return `${name.replaceAll('_', ' ')}: ${oneLine(String(value))}`;
  if (name === 'size' || name === 'bytes') return sizeText(value, units);
  if (name === 'disk_size') return `${sizeText(value, units)} on disk`;
  if (name === 'files') return countOf(value, 'file');
  if (name === 'dirs') return countOf(value, 'folder');
  return `${SIZES.has(name) ? sizeText(value, units) : countText(value)} ${name.replaceAll('_', ' ')}`;
}
