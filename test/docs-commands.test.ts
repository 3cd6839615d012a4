import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PINNED_PACKAGE } from '../src/contract/version.ts';
import { CLIENTS } from '../src/setup/clients.ts';
import { planClient } from '../src/setup/plan-changes.ts';
import { commandBlocks, read, userDocs } from './docs/blocks.ts';
import { makeSandbox } from './docs/sandbox.ts';
import { shows } from './docs/shown.ts';
import { temporaryFolder } from './support.ts';

const pages = userDocs().map((path) => ({ path, text: read(path) }));

test.each(pages)('links of $path lead to files that exist', ({ path, text }) => {
  const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target]) => target ?? '');
  expect(targets.filter((target) => !existsSync(join(dirname(path), target)))).toEqual([]);
});

test.each(pages)('every block of $path says what it is', ({ text }) => {
  const fences = [...text.matchAll(/^```(.*)$/gm)].map(([, mark]) => mark);
  // What is not marked would not be compared with anything.
  expect(fences.filter((mark, i) => i % 2 === 0 && mark === '')).toEqual([]);
});

describe.concurrent('commands', () => {
  const withCommands = pages.filter(({ text }) => commandBlocks(text).length > 0);

  test.each(withCommands)('of $path run and print what it shows', { timeout: 600_000 }, async (page) => {
    const sandbox = makeSandbox(temporaryFolder());
    try {
      // In order: later blocks build on earlier ones, as for a reader.
      for (const { line, script, shown } of commandBlocks(page.text)) {
        const printed = await sandbox.run(script).catch((error: Error) => {
          throw new Error(`${page.path}:${line}\n${error.message}`);
        });
        if (shown !== undefined && !shows(shown.text, printed))
          throw new Error(`${page.path}:${shown.line} shows\n${shown.text}\nbut it prints\n${printed}`);
      }
    } finally {
      sandbox.stop();
    }
  });
});

test.each(CLIENTS)('the settings for $title in the guide are those that setup writes', (client) => {
  const guide = read('docs/guide/clients.md');
  const shown = new RegExp(`^\`\`\`(?:json|toml|yaml) ${client.name}\n([\\s\\S]*?)^\`\`\``, 'm').exec(
    guide,
  )?.[1];
  const nowhere = { home: '/nowhere', cwd: '/nowhere', env: {}, platform: 'linux' } as const;
  const launch = { command: 'npx', args: ['-y', PINNED_PACKAGE, 'mcp'] };
  expect(shown).toBe(planClient(client, nowhere, { scope: 'user', launch })[0]?.after);
});
