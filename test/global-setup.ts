import { buildAll } from '../scripts/build.mjs';

/** Tests that start processes or workers use the built files: bring them up to date first. */
export default async function setup(): Promise<void> {
  await buildAll({ tolerant: process.env.CI !== 'true' });
}
