import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * The generations that somebody asked for by indexing a folder. Growth is measured from these: a rescan in the
 * background, or by a question, never moves the base.
 */
const FILE = 'baselines.json';
const MAX_BASELINES = 20;

/** The generations that were asked for, oldest first. */
export async function baselines(folder: string): Promise<readonly number[]> {
  try {
    const list: unknown = JSON.parse(await readFile(join(folder, FILE), 'utf8'));
    return Array.isArray(list) ? list.filter((generation) => Number.isSafeInteger(generation)) : [];
  } catch {
    return [];
  }
}

export async function addBaseline(folder: string, generation: number): Promise<void> {
  const known = await baselines(folder);
  if (known.at(-1) === generation) return;
  const draft = join(folder, `${FILE}.${process.pid}.tmp`);
  await writeFile(draft, JSON.stringify([...known, generation].slice(-MAX_BASELINES)), { mode: 0o600 });
  await rename(draft, join(folder, FILE));
}
