import { statfs } from 'node:fs/promises';

export interface VolumeSpace {
  readonly size: number;
  readonly free: number;
}

/** A card is not worth more. The mount of a server that is gone never answers. */
const WAIT_MS = 500;

/** Questions that have no answer yet, by folder: each holds one of the few threads that read files. */
const asked = new Map<string, Promise<VolumeSpace | undefined>>();

/** Size and free space of the file system of a folder; undefined if that is not known in time. */
export async function volumeSpace(
  folder: string,
  ask: (folder: string) => Promise<{ blocks: number; bavail: number; bsize: number }> = statfs,
): Promise<VolumeSpace | undefined> {
  let answer = asked.get(folder);
  if (answer === undefined) {
    answer = ask(folder)
      .then(({ blocks, bavail, bsize }) => ({ size: blocks * bsize, free: bavail * bsize }))
      .catch(() => undefined)
      .finally(() => asked.delete(folder));
    asked.set(folder, answer);
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS, undefined);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
