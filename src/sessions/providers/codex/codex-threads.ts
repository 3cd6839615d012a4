import { dirname, join } from 'node:path';
import { readWhole } from '../../../contract/open-file.ts';
import { filled, object, parseJson } from '../../model/log-json.ts';
import type { SideFacts, Unreadable } from '../provider.ts';
import { codexState } from './codex-state.ts';

const MAX_INDEX_BYTES = 32 << 20;

/**
 * What Codex knows about its threads outside the logs: names that a person gave them in `session_index.jsonl`, where
 * the last line of a thread wins, and names and parents in a database.
 */
export function threadFacts(homes: Iterable<string>, unreadable: Unreadable): SideFacts {
  const titles = new Map<string, string>();
  const parents = new Map<string, string>();
  for (const home of homes) {
    try {
      const state = codexState(home);
      for (const [id, name] of state.names) titles.set(id, name);
      for (const [id, parent] of state.parents) parents.set(id, parent);
    } catch (error) {
      unreadable(join(home, 'state_5.sqlite'), error);
    }
    for (const [id, name] of namesInIndex(join(home, 'session_index.jsonl'))) titles.set(id, name);
  }
  return { titles, parents };
}

function namesInIndex(path: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  try {
    for (const line of readWhole(path, { below: dirname(path) }, MAX_INDEX_BYTES)
      .toString('utf8')
      .split('\n')) {
      const entry = object(parseJson(line));
      const id = filled(entry.id) ?? filled(entry.thread_id);
      const name = filled(entry.thread_name) ?? filled(entry.name);
      if (id !== undefined && name !== undefined) names.set(id, name);
    }
  } catch {
    // Not every version writes it, and a link in its place is not followed.
  }
  return names;
}
