import { go, param, withQuery } from '../frame/router.ts';
import type { SubagentCard } from './types.ts';

/** The subagents whose transcripts are open; they are in the address. */
function openIds(): readonly string[] {
  return (param('agents') ?? '').split(',').filter((id) => id !== '');
}

/** Whether the transcript of a subagent is open; the address may contain its full id. */
export function isOpen(id: string): boolean {
  return openIds().some((open) => open.startsWith(id));
}

function idsWithout(id: string): readonly string[] {
  return openIds().filter((open) => !open.startsWith(id));
}

/** Opens or closes the transcript of a subagent, without scrolling. */
export function toggleSubagent(id: string): void {
  const open = isOpen(id) ? idsWithout(id) : [...openIds(), id];
  go(withQuery({ agents: open.join(',') }), { replace: true });
}

/** Opens the transcript of a subagent and goes to the call that started it; closes it if it is open. */
export function showSubagent({ id, turn, step }: SubagentCard): void {
  if (isOpen(id)) go(withQuery({ agents: idsWithout(id).join(',') }));
  else go(withQuery({ agents: [...openIds(), id].join(','), turn, step, event: undefined }));
}
