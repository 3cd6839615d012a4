import { failedRuns } from '../store/failed-runs.ts';
import type { SessionRow } from '../store/session-row.ts';
import { timelineStore } from '../store/timeline.ts';
import { type AcrossFilter, type AcrossSessions, acrossSessions } from './across-sessions.ts';
import { type AnalysisOptions, analyze } from './analyze.ts';
import { findingStore } from './finding-store.ts';
import { keptPerSession } from './kept-per-session.ts';
import { type FigureSources, gatherFigures } from './session-figures.ts';

export type SessionAnalysis = ReturnType<typeof sessionAnalysis>;

/** How well sessions went, and the figures behind it. */
export function sessionAnalysis(sources: FigureSources) {
  const keep = findingStore(sources);
  const everything = keptPerSession(async (session) => {
    const figures = await gatherFigures(sources, session);
    return { analysis: analyze(figures, { failures: true, loops: true }), figures };
  });
  return {
    async of(session: SessionRow, options: AnalysisOptions) {
      const all = await everything(session);
      return options.failures && options.loops
        ? all
        : { analysis: analyze(all.figures, options), figures: all.figures };
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
    timeline: keptPerSession(timelineStore(sources.db)),
  };
}
