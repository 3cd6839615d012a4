/** The colour of each kind of tool. */
const KIND_TONES: Readonly<Record<string, string>> = {
  read: 'c7',
  search: 'c1',
  edit: 'c2',
  write: 'c2',
  execute: 'c5',
  agent: 'c3',
  mcp: 'c6',
};

export function kindTone(kind: string): string {
  return KIND_TONES[kind] ?? 'c8';
}

/** The kinds by their colour, for legends. */
export function kindsByTone(kinds: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const kind of kinds) groups.set(kindTone(kind), [...(groups.get(kindTone(kind)) ?? []), kind]);
  return groups;
}
