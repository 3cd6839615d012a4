import type { Usage } from '../model/event.ts';
import type { UsageRow } from '../model/event-rows.ts';

/** The part of a {@link UsageRow} that token totals need. */
export type TokenRow = readonly [
  response: string,
  ms: number,
  model: string | undefined,
  usage: Usage,
  lowerBound: boolean,
  relayed: boolean,
];

/** Lines that repeat a response can raise its counts, but are never added up. */
export function addRow(rows: Map<string, TokenRow>, row: UsageRow | undefined): void {
  if (row === undefined) return;
  const { response, ms, model, usage, lowerBound, relayed } = row;
  const before = rows.get(response);
  rows.set(
    response,
    before === undefined
      ? [response, ms, model, usage, lowerBound, relayed]
      : raised(before, usage, lowerBound, relayed),
  );
}

/** A row with the larger of two counts of the same response. */
export function raised(
  [response, ms, model, usage, lowerBound, relayed]: TokenRow,
  other: Usage,
  alsoLower: boolean,
  alsoRelayed: boolean,
): TokenRow {
  const larger = (name: keyof Usage) => Math.max(usage[name], other[name]);
  return [
    response,
    ms,
    model,
    {
      input: larger('input'),
      cached: larger('cached'),
      cacheWrite: larger('cacheWrite'),
      cacheWriteHour: larger('cacheWriteHour'),
      output: larger('output'),
      reasoning: larger('reasoning'),
      tool: larger('tool'),
    },
    lowerBound && alsoLower,
    relayed && alsoRelayed,
  ];
}
