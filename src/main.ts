#!/usr/bin/env node
import { toldVersion } from './cli/version-command.ts';

const argv = process.argv.slice(2);
// Scripts ask for the version often; nothing else is loaded for it.
if (!toldVersion(argv)) {
  const { runToEnd } = await import('./cli/cli.ts');
  await runToEnd(argv);
}
