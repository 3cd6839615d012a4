import type { Facts, ParsedRecord } from './event.ts';
import type { AssemblerState } from './state.ts';

/** The folder, the project and the kin of a session are what its first records say; the rest follows the last. */
const FIRST_WINS: ReadonlySet<string> = new Set([
  'id',
  'cwd',
  'projectHash',
  'parentId',
  'relation',
  'agentName',
]);

/** Adds what a record tells of its session. Words are redacted, because they are kept. */
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
    if (known !== undefined && FIRST_WINS.has(name)) continue;
    Reflect.set(state.facts, name, typeof value === 'string' ? redact(value) : value);
  }
}

/** Work of a subagent that is logged inside its parent is the parent's; it tells nothing of the session itself. */
export function ofThisSession(record: ParsedRecord, { facts }: AssemblerState): ParsedRecord {
  const { id, parentId, relation, ...rest } = record.facts ?? {};
  if (relation !== 'subagent' || facts.id === undefined || id === facts.id || parentId !== facts.id)
    return record;
  return { ...record, facts: rest, sidechain: true };
}
