import type { Owner } from '../daemon/owner.ts';

/** Makes the folder readable for callers and starts its indexes, with progress. */
export async function indexFolder(owner: Owner, folder: string): Promise<void> {
  await owner.house.services.allowed.add(folder);
}
