import type { Facts, ParsedRecord } from './event.ts';
import type { AssemblerState } from './state.ts';

/** For these facts the first record that has them wins, for all others the last one. */
const FIRST_WINS: ReadonlySet<string> = new Set([
  'id',
  'cwd',
  'projectHash',
  'parentId',
  'relation',
  'agentName',
]);

/** Adds what a record says about its session. Texts are redacted because they are stored. */
export function mergeFacts(
  state: AssemblerState,
  found: Facts | undefined,
  redact: (text: string) => string,
): void {
  if (found === undefined) return;
  const { titleOf, ...rest } = found;
  const foreignTitle = titleOf !== undefined && !state.links.has(titleOf);
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined || (name === 'title' && (foreignTitle || value === ''))) continue;
    const known: unknown = Reflect.get(state.facts, name);
    if (known === value || (known !== undefined && FIRST_WINS.has(name))) continue;
    Reflect.set(state.facts, name, typeof value === 'string' ? redact(value) : value);
  }
}

/** Records of a subagent in its parent's log belong to the parent, but say nothing about the parent session itself. */
export function ofThisSession(record: ParsedRecord, { facts }: AssemblerState): ParsedRecord {
  const { id, parentId, relation, ...rest } = record.facts ?? {};
  if (relation !== 'subagent' || facts.id === undefined || id === facts.id || parentId !== facts.id)
    return record;
  return { ...record, facts: rest, sidechain: true };
}
