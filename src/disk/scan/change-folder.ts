import { closeSync, constants, openSync } from 'node:fs';
import { chdir } from 'node:process';
import { systemPath } from './raw-text.ts';

/** The system refuses longer paths, so they are entered in several steps. */
const MAX_PATH_CHARACTERS = 3_000;

/** Changes the working folder. The path may be longer than the system allows, and contain bytes that are not text. */
export function changeFolder(raw: string): void {
  let rest = raw;
  while (rest.length > MAX_PATH_CHARACTERS) {
    const cut = rest.lastIndexOf('/', MAX_PATH_CHARACTERS);
    if (cut <= 0) break;
    step(rest.slice(0, cut));
    rest = rest.slice(cut + 1);
  }
  step(rest);
}

function step(raw: string): void {
  const path = systemPath(raw);
  if (typeof path === 'string') {
    chdir(path);
    return;
  }
  if (process.platform !== 'linux') throw Object.assign(new Error('not valid text'), { code: 'EILSEQ' });
  // chdir accepts only text, but an open folder can be entered through its descriptor.
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK);
  try {
    chdir(`/proc/self/fd/${fd}`);
  } finally {
    closeSync(fd);
  }
}
