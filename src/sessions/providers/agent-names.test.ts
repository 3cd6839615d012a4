import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const AGENT =
  /claude[ _-]?code|codex|gemini|kilo(?: |code)|qwen|copilot|openclaw|\bkimi|\bcline\b|\bdroid\b|\bgrok\b/i;

/** Files about the MCP clients that Pinhole is added to, programs that sessions run, and models, which have prices and vendors. */
const OTHERS =
  /^src\/(?:setup\/|tokens\/|cli\/(?:built-ins|setup-command)\.ts$|contract\/caller\.ts$|mcp\/(?:command|server|tool)\.ts$|sessions\/model\/command-programs\.ts$|sessions\/tokens\/prices\.ts$|commits\/trace\/trace-record\.ts$)|^web\/src\/home\/setup-panel\.tsx$/;
const OWN = /^src\/sessions\/providers\/(?:[a-z-]+\/|index\.ts$|unread-folders\.ts$)/;

test('only the folder of its provider and the list name an agent', () => {
  const files = ['src', 'web/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test|\.fixture)\.(?:ts|tsx|css)$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(ROOT.length + 1)),
  );
  expect(files.length).toBeGreaterThan(500);
  const naming = files.filter(
    (file) => !OWN.test(file) && !OTHERS.test(file) && AGENT.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(naming).toEqual([]);
});
