import { basename } from 'node:path';
import { isObject, type JsonObject, parseRecord } from '../model/log-json.ts';
import { formatOf, recordsFrom } from '../read/source.ts';
import type { Provider } from './provider.ts';

/** Records at the beginning of a log that are looked at. */
const MAX_LOOKED_AT = 20;

/** A file among the logs of an agent that neither it nor another known one writes. */
export class UnknownLog extends Error {
  constructor() {
    super('its records are not those of any agent that Pinhole knows, so it is not read');
  }
}

/**
 * The agent that wrote a log in the folder of `owner`; undefined if no known one did. Only a file that is not named like
 * a log of the owner is opened.
 */
export function writerOf(
  providers: readonly Provider[],
  owner: Provider,
  path: string,
  readAt: string,
): Provider | undefined {
  const { signature } = owner;
  if (signature === undefined || signature.name.test(basename(path)) || formatOf(path) === 'document')
    return owner;
  const records = firstRecords(readAt);
  if (records.length === 0) return owner;
  const signed = [owner, ...providers].find((provider) =>
    records.some((record) => provider.signature?.has(record) === true),
  );
  return signed ?? (records.some((record) => owner.read(record).known) ? owner : undefined);
}

/** None where the log cannot be read: whoever reads it says why. */
function firstRecords(path: string): readonly JsonObject[] {
  const found: JsonObject[] = [];
  let looked = 0;
  try {
    for (const { bytes, tooLong } of recordsFrom(path, 0)) {
      const record = tooLong ? undefined : parseRecord(bytes.toString('utf8'));
      if (isObject(record)) found.push(record);
      if (++looked === MAX_LOOKED_AT) break;
    }
  } catch {
    return [];
  }
  return found;
}
