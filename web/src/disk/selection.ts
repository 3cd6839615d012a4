import { go, param, withQuery } from '../frame/router.ts';

/** The selected nodes; they are in the address, so that the page can be shared with its selection. */
export function selection(): ReadonlySet<string> {
  return new Set((param('sel') ?? '').split(',').filter((id) => id !== ''));
}

/** Adds a node to the selection, or removes it. */
export function toggle(id: string): void {
  if (id === '') return;
  const chosen = new Set(selection());
  if (!chosen.delete(id)) chosen.add(id);
  go(withQuery({ sel: [...chosen].join(',') }), { replace: true });
}

/** Adds several nodes to the selection, or removes them if all are in it. */
export function toggleAll(ids: readonly string[]): void {
  const chosen = selection();
  const all = ids.every((id) => chosen.has(id));
  const next = all ? [...chosen].filter((id) => !ids.includes(id)) : [...new Set([...chosen, ...ids])];
  go(withQuery({ sel: next.join(',') }), { replace: true });
}

export function clearSelection(): void {
  go(withQuery({ sel: undefined }), { replace: true });
}
