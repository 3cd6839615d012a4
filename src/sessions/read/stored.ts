import type { SessionStore } from '../providers/provider.ts';
import type { RawRecord } from './lines.ts';

/*
 * A session in a database or in a document that is rewritten has no file of its own. Its path is the path of that file,
 * then its id: `/…/agent.db/ses_1.stored`. Its records have numbers instead of byte positions.
 */

const ENDING = '.stored';

export function isStored(path: string): boolean {
  return path.endsWith(ENDING);
}

export function storedPath(file: string, session: string): string {
  return `${file}/${encodeURIComponent(session)}${ENDING}`;
}

/** The file that holds the session of a path. */
export function fileOfStored(path: string): string | undefined {
  return isStored(path) ? path.slice(0, path.lastIndexOf('/')) : undefined;
}

/** The id of the session that a path names. */
export function idOfStored(path: string): string {
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1, -ENDING.length));
}

/** Records of a session in a store; each has length 1, so that the position after it is the next record's number. */
export function* storedRecords(
  path: string,
  from: number,
  store: SessionStore | undefined,
): Generator<RawRecord> {
  const file = fileOfStored(path);
  if (file === undefined || store === undefined) throw new Error(`no session ${path}`);
  let number = from;
  for (const record of store.records(file, idOfStored(path), from))
    yield { bytes: Buffer.from(JSON.stringify(record)), offset: number++, length: 1 };
}
