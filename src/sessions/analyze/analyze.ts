import { checkLens } from './check-lens.ts';
import { compactionLens, failureLens, interruptionLens, rejectionLens } from './outcomes.ts';
import { churnLens, loopLens, retryLens } from './repetition.ts';
import type { SessionFigures } from './session-figures.ts';
import { bottleneckLens, tokenLens } from './spending.ts';

export const LENSES = [
  'failures',
  'checks',
  'rejected',
  'loops',
  'retries',
  'edit_churn',
  'token_usage',
  'bottleneck',
  'compaction',
  'interruptions',
] as const;
export type Lens = (typeof LENSES)[number];

/** The worst first. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const;

export interface Insight {
  readonly turn_index: number;
  readonly step_index?: number | undefined;
  readonly event_index?: number | undefined;
  readonly severity: (typeof SEVERITIES)[number];
  readonly lens: Lens;
  readonly message: string;
}

export interface Penalty {
  readonly lens: Lens;
  readonly points: number;
  readonly reason: string;
}

/** What one lens finds. */
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

/** Examines a session through all lenses. The score is 100 minus the penalties. */
export function analyze(figures: SessionFigures, options: AnalysisOptions): Analysis {
  const findings = [
    ...(options.failures
      ? [failureLens(figures), checkLens(figures), rejectionLens(figures), interruptionLens(figures)]
      : []),
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
    .sort(
      (a, b) =>
        SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.turn_index - b.turn_index,
    );
  return { score, penalties, insights };
}
