import type { SessionRow } from '../store/session-row.ts';
import { timelineStore } from '../store/timeline.ts';
import { type AnalysisOptions, analyze } from './analyze.ts';
import { type FigureSources, gatherFigures } from './session-figures.ts';

export type SessionAnalysis = ReturnType<typeof sessionAnalysis>;

/** How well a session went, and the figures that say so. */
export function sessionAnalysis(sources: FigureSources) {
  return {
    async of(session: SessionRow, options: AnalysisOptions) {
      const figures = await gatherFigures(sources, session);
      return { analysis: analyze(figures, options), figures };
    },

    /** Calls and responses in order, for charts. */
    timeline: timelineStore(sources.db),
  };
}
