import type { Part } from './event.ts';
import { hashEnds } from './hash.ts';

/** How often each text of the turn occurred in each kind of record. */
export type EchoState = Map<string, Map<string, number>>;

/**
 * Agents that log everything twice (as an item and as an event) would double every message. The n-th occurrence of a
 * text in one kind of record is an echo if it has occurred n times in another kind. Keeps the turn's texts as hashes.
 */
export function isEcho(state: EchoState, part: Part, label: string): boolean {
  if (part.echo !== true || part.text === '(encrypted)') return false;
  const source = label.split('/', 1)[0] ?? label;
  // Summaries of reasoning are joined in one kind of record and separate in the other: they share the first line.
  const told = part.type === 'reasoning' ? (part.text.split('\n', 1)[0] ?? '') : part.text.trim();
  const key = `${part.type}${hashEnds(told)}`;
  const counts = state.get(key) ?? new Map<string, number>();
  state.set(key, counts);
  const mine = counts.get(source) ?? 0;
  let others = 0;
  for (const [name, times] of counts) if (name !== source) others = Math.max(others, times);
  counts.set(source, mine + 1);
  return mine < others;
}
