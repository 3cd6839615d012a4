import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROVIDERS } from './index.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Names that are also words of English or HTML: they count only as a string of their own. */
const WORDS = new Set(['amp', 'crush', 'goose', 'kilo', 'omp', 'pi', 'roo', 'zed']);
/** The input of every list, the factory of the subject code, packages and the links of an editor. */
const OUR_WORDS = /cursor|openCode|@vscode\b|vscode(?=:\/\/|\()/gi;
/** Folders in which many programs have theirs. */
const SHARED_FOLDERS = new Set(['.config', '.local', '.vscode']);

/** Files about the MCP clients that Pinhole is added to, programs that sessions run, and models, which have prices and vendors. */
const OTHERS =
  /^src\/(?:setup\/|tokens\/|cli\/(?:built-ins|setup-command)\.ts$|contract\/caller\.ts$|mcp\/(?:command|server|tool)\.ts$|sessions\/model\/command-programs\.ts$|sessions\/tokens\/prices\.ts$|commits\/trace\/trace-record\.ts$)|^web\/src\/(?:home\/setup-panel|activity\/activity-overview)\.tsx$/;
const OWN = /^src\/sessions\/providers\/(?:[a-z-]+\/|index\.ts$|unread-folders\.ts$)/;

const names = PROVIDERS.flatMap(({ id, title, aliases = [] }) => [id, title, ...aliases]);
const folders = PROVIDERS.flatMap((provider) => provider.logFolders({}, '/home/you'))
  .flatMap((path) => path.split('/').filter((part) => part.startsWith('.')))
  .filter((folder) => !SHARED_FOLDERS.has(folder));

const escaped = (text: string) => text.replace(/[.()]/g, '\\$&');
const PATTERNS = [
  ...folders.map((folder) => `(?<![\\w)])${escaped(folder)}\\b`),
  ...names.map((name) =>
    WORDS.has(name.toLowerCase())
      ? `(['"\`])${name}\\1`
      : // `claude_code` is also `claudeCode` and `claude-code`.
        `(?<![\\w-])${escaped(name).replace(/[ _-]/g, '[ _-]?')}(?![\\w-])`,
  ),
].map((pattern) => new RegExp(pattern, 'i'));

const agentsIn = (text: string) => {
  const others = text.replace(OUR_WORDS, '');
  return PATTERNS.flatMap((pattern) => pattern.exec(others)?.[0] ?? []);
};

test('only the folder of its provider and the list name an agent or its folders', () => {
  const named = ['join(home, ".claude")', "claude-code's", "'pi'", 'VS Code Copilot Chat', '~/.codex'];
  expect(named.filter((text) => agentsIn(text).length === 0)).toEqual([]);
  expect(['&amp;', 'cursor', 'gpt-5-codex', 'openCode(', 'ripgrep'].flatMap(agentsIn)).toEqual([]);
  const files = ['src', 'web/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test|\.fixture)\.(?:ts|tsx|css)$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(ROOT.length + 1)),
  );
  expect(files.length).toBeGreaterThan(500);
  const naming = files
    .filter((file) => !OWN.test(file) && !OTHERS.test(file))
    .flatMap((file) => agentsIn(readFileSync(join(ROOT, file), 'utf8')).map((name) => `${file}: ${name}`));
  expect(naming).toEqual([]);
});
