import type { DataOf } from '../data/operations.ts';

export type CallCard = DataOf<'audit'>['calls'][number];
export type OperationStats = DataOf<'stats'>['operations'][number];
