import { closeSync, constants, openSync } from 'node:fs';
import { chdir } from 'node:process';
import { systemPath } from './raw-text.ts';

/** Longer paths are refused by the system; a step further in, they are not. */
const LONGEST = 3_000;

/** Changes the working folder; the path may be longer than the system takes, and hold bytes that are no text. */
export function changeFolder(raw: string): void {
  let rest = raw;
  while (rest.length > LONGEST) {
    const cut = rest.lastIndexOf('/', LONGEST);
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
  if (process.platform !== 'linux') throw Object.assign(new Error('no text'), { code: 'EILSEQ' });
  // The call takes text only; an open folder needs no name.
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK);
  try {
    chdir(`/proc/self/fd/${fd}`);
  } finally {
    closeSync(fd);
  }
}
