import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { object, parseJson } from '../model/json.ts';

/** Whether logs are kept after their clients delete them; stands in the data folder, so that it outlives processes. */
export interface ArchiveSetting {
  readonly folder: string;
  on(): boolean;
  set(on: boolean): void;
}

/** The setting of a data folder; `given` (an option or `PINHOLE_ARCHIVE=1`) comes before what is written there. */
export function archiveSetting(home: string, given: boolean | undefined): ArchiveSetting {
  const file = join(home, 'sessions.json');
  let on = given ?? read(file);
  return {
    folder: join(home, 'archive'),
    on: () => on,
    set(wanted) {
      mkdirSync(home, { recursive: true, mode: 0o700 });
      writeFileSync(file, `${JSON.stringify({ archive: wanted })}\n`, { mode: 0o600 });
      on = wanted;
    },
  };
}

function read(file: string): boolean {
  try {
    return object(parseJson(readFileSync(file, 'utf8'))).archive === true;
  } catch {
    return false;
  }
}
