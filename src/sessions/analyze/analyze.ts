import { compactionLens, failureLens, interruptionLens } from './outcomes.ts';
import { churnLens, loopLens, retryLens } from './repetition.ts';
import type { SessionFigures } from './session-figures.ts';
import { bottleneckLens, tokenLens } from './spending.ts';

export type Lens =
  | 'failures'
  | 'loops'
  | 'retries'
  | 'edit_churn'
  | 'token_usage'
  | 'bottleneck'
  | 'compaction'
  | 'interruptions';

export interface Insight {
  readonly turn_index: number;
  readonly step_index?: number | undefined;
  readonly event_index?: number | undefined;
  readonly severity: 'critical' | 'warning' | 'info';
  readonly lens: Lens;
  readonly message: string;
}

export interface Penalty {
  readonly lens: Lens;
  readonly points: number;
  readonly reason: string;
}

/** What one lens sees. */
export interface Finding {
  readonly insights: readonly Insight[];
  readonly penalties: readonly Penalty[];
}

export interface Analysis {
  readonly score: number;
  readonly penalties: readonly Penalty[];
  readonly insights: readonly Insight[];
}

export interface AnalysisOptions {
  readonly failures: boolean;
  readonly loops: boolean;
}

const SEVERITY = { critical: 0, warning: 1, info: 2 } as const;

/** Looks at a session through all lenses. The penalties add up to what the score lacks of 100. */
export function analyze(figures: SessionFigures, options: AnalysisOptions): Analysis {
  const findings = [
    ...(options.failures ? [failureLens(figures), interruptionLens(figures)] : []),
    ...(options.loops ? [loopLens(figures), retryLens(figures)] : []),
    churnLens(figures),
    compactionLens(figures),
    tokenLens(figures),
    bottleneckLens(figures),
  ];
  const penalties: Penalty[] = [];
  let score = 100;
  for (const penalty of findings.flatMap((finding) => finding.penalties)) {
    const points = Math.min(penalty.points, score);
    if (points <= 0) continue;
    penalties.push({ ...penalty, points });
    score -= points;
  }
  const insights = findings
    .flatMap((finding) => finding.insights)
    .sort((a, b) => SEVERITY[a.severity] - SEVERITY[b.severity] || a.turn_index - b.turn_index);
  return { score, penalties, insights };
}
