import { go, param, withQuery } from '../frame/router.ts';
import type { SubagentCard } from './types.ts';

/** Subagents that are unfolded in the transcript; they are in the address. */
export function openAgents(): ReadonlySet<string> {
  return new Set((param('agents') ?? '').split(',').filter((id) => id !== ''));
}

/** Folds a subagent in or out where it stands. */
export function toggleAgent(id: string): void {
  const open = new Set(openAgents());
  if (!open.delete(id)) open.add(id);
  go(withQuery({ agents: [...open].join(',') }), { replace: true });
}

/** Unfolds a subagent and goes to the call that started it; once more folds it in. */
export function showAgent({ id, turn, step }: SubagentCard): void {
  const open = new Set(openAgents());
  if (open.delete(id)) go(withQuery({ agents: [...open].join(',') }));
  else go(withQuery({ agents: [...open, id].join(','), turn, step, event: undefined }));
}
