import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from './errors.ts';

/**
 * Creates a folder that only this user can read, with the folders above it. Step by step, because Node's own recursive
 * form tries forever where nothing can be created, such as in /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process has just created it.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
