import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../contract/guards.ts';

/*
 * The generations that somebody asked for by indexing a folder. Growth is measured from these: a rescan in the
 * background, or by a question, never moves the base.
 */
const FILE = 'baselines.json';
const MAX_BASELINES = 20;

export interface Baseline {
  readonly generation: number;
  /** When it was last found unchanged by a scan that somebody asked for. */
  readonly scannedAt: number;
}

/** The generations that were asked for, oldest first. */
export async function baselines(folder: string): Promise<readonly Baseline[]> {
  try {
    const list: unknown = JSON.parse(await readFile(join(folder, FILE), 'utf8'));
    return Array.isArray(list) ? list.filter(isBaseline) : [];
  } catch {
    return [];
  }
}

function isBaseline(value: unknown): value is Baseline {
  return isObject(value) && typeof value.generation === 'number' && typeof value.scannedAt === 'number';
}

export async function addBaseline(folder: string, { generation, scannedAt }: Baseline): Promise<void> {
  const others = (await baselines(folder)).filter((one) => one.generation !== generation);
  const draft = join(folder, `${FILE}.${process.pid}.tmp`);
  const list = [...others, { generation, scannedAt }].slice(-MAX_BASELINES);
  await writeFile(draft, JSON.stringify(list), { mode: 0o600 });
  await rename(draft, join(folder, FILE));
}
