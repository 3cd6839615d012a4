import { colour } from '../../frame/theme.ts';
import { familyOf, OTHER_TONE } from '../families.ts';
import { REST, type TreeColumns } from './columns.ts';

export type ColourBy = 'type' | 'age';

const DAY = 86_400;

/** Age groups, newest first. */
export const AGES: readonly {
  readonly label: string;
  readonly seconds: number;
  readonly tone: string;
  readonly word: string;
}[] = [
  { label: 'last week', seconds: 7 * DAY, tone: 'a1', word: 'newer:7d' },
  { label: 'last month', seconds: 30 * DAY, tone: 'a2', word: 'newer:30d' },
  { label: 'last 3 months', seconds: 90 * DAY, tone: 'a3', word: 'newer:90d' },
  { label: 'last year', seconds: 365 * DAY, tone: 'a4', word: 'newer:365d' },
  { label: 'last 2 years', seconds: 730 * DAY, tone: 'a5', word: 'newer:730d' },
  { label: 'older', seconds: Number.POSITIVE_INFINITY, tone: 'a6', word: 'older:730d' },
];

/** The colour of each file. */
export function fileColours(
  columns: TreeColumns,
  extensions: readonly string[],
  by: ColourBy,
  now: number,
): (at: number) => string {
  if (by === 'age') {
    const tones = AGES.map(({ tone }) => colour(tone));
    const rest = colour('border');
    return (at) => {
      // For small entries taken together, the time column holds their number.
      if ((columns.kinds[at] ?? 0) <= REST) return rest;
      const age = now / 1000 - (columns.times[at] ?? 0);
      return tones[AGES.findIndex(({ seconds }) => age < seconds)] ?? tones.at(-1) ?? '';
    };
  }
  const tones = extensions.map((extension) => colour(familyOf(extension)?.tone ?? OTHER_TONE));
  const other = colour(OTHER_TONE);
  return (at) => {
    const kind = columns.kinds[at] ?? -1;
    return tones[kind < REST ? REST - 1 - kind : kind] ?? other;
  };
}
