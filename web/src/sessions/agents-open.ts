import { go, param, withQuery } from '../frame/router.ts';
import type { SubagentCard } from './types.ts';

/** Subagents that are unfolded in the transcript; they are in the address. */
function openAgents(): ReadonlySet<string> {
  return new Set((param('agents') ?? '').split(',').filter((id) => id !== ''));
}

/** Whether a subagent is unfolded; the address may have its whole id. */
export function isOpen(id: string): boolean {
  return [...openAgents()].some((open) => open.startsWith(id));
}

/** The address's ids without this one. */
function others(id: string): readonly string[] {
  return [...openAgents()].filter((open) => !open.startsWith(id));
}

/** Folds a subagent in or out where it stands. */
export function toggleAgent(id: string): void {
  const open = isOpen(id) ? others(id) : [...openAgents(), id];
  go(withQuery({ agents: open.join(',') }), { replace: true });
}

/** Unfolds a subagent and goes to the call that started it; once more folds it in. */
export function showAgent({ id, turn, step }: SubagentCard): void {
  if (isOpen(id)) go(withQuery({ agents: others(id).join(',') }));
  else go(withQuery({ agents: [...openAgents(), id].join(','), turn, step, event: undefined }));
}
