import type { DataOf } from '../data/operations.ts';

export type CallCard = DataOf<'audit'>['calls'][number];

/** Also false for a call whose caller went away before the answer. */
export function hasFailed({ outcome }: Pick<CallCard, 'outcome'>): boolean {
  return outcome !== 'ok' && outcome !== 'cancelled';
}

export type OperationStats = DataOf<'stats'>['operations'][number];
