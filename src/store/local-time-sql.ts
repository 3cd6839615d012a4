import { offsetsOf } from '../contract/zone.ts';

/**
 * SQL that formats milliseconds since 1970 as a time in a zone, `YYYY-MM-DD HH:MM:SS`. SQLite's own modifier
 * 'localtime' only knows the zone of this process, and takes eight times as long.
 */
export function localTimeSql(zone: string): (ms: string) => string {
  const offsets = offsetsOf(zone);
  const [newest, ...older] = offsets;
  if (newest === undefined || older.length === 0) {
    const ahead = newest?.seconds ?? 0;
    return (ms) => `datetime((${ms}) / 1000${ahead === 0 ? '' : ` + ${ahead}`}, 'unixepoch')`;
  }
  const cases = (ms: string) =>
    offsets
      .flatMap(({ from, seconds }) =>
        Number.isFinite(from) ? [`WHEN ${ms} >= ${from} THEN ${seconds}`] : [],
      )
      .join(' ');
  return (ms) =>
    `datetime((${ms}) / 1000 + CASE ${cases(`(${ms})`)} ELSE ${offsets.at(-1)?.seconds ?? 0} END, 'unixepoch')`;
}
