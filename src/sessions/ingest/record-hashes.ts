import type { LogFile } from '../providers/log-files.ts';
import type { Provider } from '../providers/provider.ts';
import { recordsFrom } from '../read/source.ts';
import { copyHash } from './ingest-file.ts';

const hashes = new WeakMap<LogFile, Set<number>>();

/** The hashes of all records of a log, as in the index. */
export function recordHashes(file: LogFile, provider: Provider): ReadonlySet<number> {
  const found = hashes.get(file) ?? new Set<number>();
  if (found.size > 0) return found;
  for (const raw of recordsFrom(file.keptAt ?? file.path, 0, provider.store))
    if (raw.bytes.length > 0) found.add(copyHash(provider, raw.bytes.toString('utf8')));
  hashes.set(file, found);
  return found;
}
