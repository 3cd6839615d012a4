import { failedRuns } from '../store/failed-runs.ts';
import type { SessionRow } from '../store/session-row.ts';
import { timelineStore } from '../store/timeline.ts';
import { type AcrossFilter, type AcrossSessions, acrossSessions } from './across-sessions.ts';
import { type AnalysisOptions, analyze } from './analyze.ts';
import { findingStore } from './finding-store.ts';
import { type FigureSources, gatherFigures } from './session-figures.ts';

export type SessionAnalysis = ReturnType<typeof sessionAnalysis>;

/** How well sessions went, and the figures behind it. */
export function sessionAnalysis(sources: FigureSources) {
  const keep = findingStore(sources);
  return {
    async of(session: SessionRow, options: AnalysisOptions) {
      const figures = await gatherFigures(sources, session);
      return { analysis: analyze(figures, options), figures };
    },

    /** Stores the findings of sessions that have changed since the last time. */
    keep,

    /** What went wrong across sessions, grouped. */
    async across(filter: AcrossFilter, signal: AbortSignal): Promise<AcrossSessions> {
      if (filter.kinds === undefined || filter.kinds.includes('loops')) await keep(signal);
      return acrossSessions(sources.db, filter);
    },

    /** What failed, and what fixed it. */
    failed: failedRuns(sources.db),

    /** Calls and responses in order, for charts. */
    timeline: timelineStore(sources.db),
  };
}
