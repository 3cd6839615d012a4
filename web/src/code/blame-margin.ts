import { useMemo } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { coloursOf } from '../ui/series-colours.ts';
import type { BlamedLines } from './types.ts';

/** What the margin shows beside a line. */
export interface MarginLine {
  readonly blamed: BlamedLines;
  /** True on the first line of a group. */
  readonly first: boolean;
  /** The session's colour, if the session is known. */
  readonly colour: string | undefined;
}

/** The groups of a file, by line. */
export function marginOf(groups: readonly BlamedLines[]): ReadonlyMap<number, MarginLine> {
  const sessions = [...new Set(groups.flatMap(({ session_id }) => session_id ?? []))];
  const colours = coloursOf(sessions);
  const lines = new Map<number, MarginLine>();
  for (const blamed of groups) {
    const [from = 0, to = from] = blamed.lines.split('-').map(Number);
    const colour = colours.get(blamed.session_id ?? '');
    for (let line = from; line <= to; line++) lines.set(line, { blamed, first: line === from, colour });
  }
  return lines;
}

/** Why each line of a file is there; loads nothing unless `wanted`. */
export function useMargin(path: string, wanted: boolean) {
  const { answer, error } = useAnswer('blame', wanted ? { path, limit: 1000 } : undefined);
  const groups = wanted ? answer?.data.lines : undefined;
  const lines = useMemo(() => groups && marginOf(groups), [groups]);
  return { lines, error: wanted ? error : undefined };
}
