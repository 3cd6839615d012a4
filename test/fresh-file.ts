import { afterAll, vi } from 'vitest';

/**
 * One process runs many test files, so that the sources are loaded once. A file may set variables and install mocks
 * for all its tests; the next file finds everything as it was.
 */
const variables = { ...process.env };
const folder = process.cwd();

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.chdir(folder);
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
});
