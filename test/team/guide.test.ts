import { expect, test } from 'vitest';
import { commandBlocks, read } from '../docs/blocks.ts';
import { makeSandbox } from '../docs/sandbox.ts';
import { shows } from '../docs/shown.ts';
import { temporaryFolder } from '../support.ts';
import { sharedPostgres } from './postgres.ts';

test('the commands in the guide to the team server print what it shows', async () => {
  const env = { PINHOLE_DATABASE_URL: await (await sharedPostgres()).database(), PINHOLE_PORT: '0' };
  const sandbox = makeSandbox(temporaryFolder(), env);
  const blocks = commandBlocks(read('docs/guide/team.md'), 'team');
  expect(blocks.length).toBe(3);
  try {
    for (const { line, script, shown } of blocks) {
      const printed = await sandbox.run(script);
      if (!shows(shown?.text ?? '', printed))
        throw new Error(`line ${line} shows\n${shown?.text}\nbut it prints\n${printed}`);
    }
  } finally {
    sandbox.stop();
  }
});
