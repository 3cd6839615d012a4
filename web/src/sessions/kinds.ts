/** Which colour a kind of tool has everywhere. */
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
