import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readStart, readWhole } from '../../contract/open-file.ts';
import { type JsonObject, object, parseJson } from '../model/log-json.ts';
import { wholeFile } from '../read/source.ts';
import type { LogPlace } from './provider.ts';

const MAX_SMALL_FILE_BYTES = 1 << 20;

/** The beginning of a small file, or of its copy in the archive. */
export function readSmall(path: string): string | undefined {
  try {
    return readStart(path, { below: dirname(path) }, MAX_SMALL_FILE_BYTES).bytes.toString('utf8');
  } catch {
    // Missing, or a link: there may be a copy.
  }
  try {
    return wholeFile(`${path}.gz`, dirname(path), MAX_SMALL_FILE_BYTES).toString('utf8');
  } catch {
    return undefined;
  }
}

/** The settings of an agent that keeps them next to its log folder. */
export function settingsBeside(folder: string): JsonObject {
  try {
    const path = join(dirname(folder), 'settings.json');
    return object(parseJson(readWhole(path, 'anywhere', MAX_SMALL_FILE_BYTES).toString('utf8')));
  } catch {
    return {};
  }
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const WHOLE_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The parent session, for agents that put the logs of subagents in a folder named after it. */
export function parentFolder(path: string): Pick<LogPlace, 'parentId'> {
  const name = basename(dirname(path));
  return WHOLE_UUID.test(name) ? { parentId: name } : {};
}
