import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { temporaryRepository } from '../../../test/git.ts';
import { ask, temporaryApp } from '../../../test/support.ts';
import type { OpenApp } from '../../app/open-app.ts';

const SECRET = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`;
let app: OpenApp;
let root = '';
beforeAll(async () => {
  app = await temporaryApp();
  const { root: made, git } = await temporaryRepository();
  root = made;
  writeFiles(root, {
    'src/old.ts': `// first\nexport function oldName() {\n  return 1;\n}\nconst key = '${SECRET}';\n`,
    'src/logo.bin': 'oldName\0',
    'README.md': 'About oldName.\n',
    'list.txt': 'item\n'.repeat(8),
  });
  git(['add', '-A']);
  git(['commit', '-qm', 'Add the old name']);
  git(['tag', 'v1']);
  rmSync(join(root, 'src/old.ts'));
  writeFiles(root, { 'src/new.ts': 'export function newName() {}\n', 'README.md': 'About newName.\n' });
  git(['add', '-A']);
  git(['commit', '-qm', 'Rename it']);
});

const search = async (input: Record<string, unknown>, who = {}) => {
  const { answer, body } = await ask(app, 'regex_search', input, { roots: [root], cwd: root, ...who });
  return { text: answer.rendered.text, ...body };
};

describe('regex_search in a commit', () => {
  it('finds what the files were, without a checkout', async () => {
    const { data, meta } = await search({ pattern: 'oldName', rev: 'v1', context_lines: 1 });
    expect(data.matches).toEqual([
      { path: 'README.md', hits: [{ line: 1, text: 'About oldName.', before: [], after: [''] }] },
      {
        path: 'src/old.ts',
        hits: [
          {
            line: 2,
            text: 'export function oldName() {',
            in: 'oldName',
            kind: 'definition',
            before: ['// first'],
            after: ['  return 1;'],
          },
        ],
      },
    ]);
    expect(meta).toMatchObject({ skipped: { binary: 1 }, index: { fresh: true } });
    expect((await search({ pattern: 'oldName' })).data.note).toMatch(/^No match in/);
    expect(
      (await search({ pattern: 'oldname', rev: 'HEAD~1', path: 'src', output: 'count' })).data.count,
    ).toEqual({ hits: 1, files: 1 });
    expect((await search({ pattern: 'Name', rev: 'main', glob: ['*.ts'] })).data.matches).toMatchObject([
      { path: 'src/new.ts' },
    ]);
  });

  it('names the definition around a hit as it was then', async () => {
    const { data } = await search({ pattern: 'return 1', rev: 'v1' });
    expect(data.matches).toEqual([
      { path: 'src/old.ts', hits: [{ line: 3, text: 'return 1;', in: 'oldName' }] },
    ]);
  });

  it('compares two commits in one call', async () => {
    const { data } = await search({
      pattern: 'function \\w+',
      output: 'files',
      searches: [{ rev: 'v1' }, { rev: 'main' }],
    });
    expect(data.searches.map(({ files }: { files: unknown }) => files)).toEqual([
      [{ path: 'src/old.ts', hits: 1 }],
      [{ path: 'src/new.ts', hits: 1 }],
    ]);
  });

  it('shows no secret and finds none', async () => {
    expect((await search({ pattern: 'const key', rev: 'v1' })).text).toContain('[redacted:');
    expect((await search({ pattern: SECRET.slice(0, 12), rev: 'v1' })).data.note).toBe(
      'No match in 4 files.',
    );
  });

  it('says what is wrong with a revision', async () => {
    expect((await search({ pattern: 'x', rev: 'no-such' })).error).toMatchObject({ code: 'not_found' });
    expect((await search({ pattern: 'x', rev: '--output=x' })).error.code).toBe('invalid_parameter');
    expect((await search({ pattern: 'x', rev: 'v1', skip: ['tests'] })).error.message).toBe(
      'skip does not work with rev. Leave it out.',
    );
  });
});

describe('code_history', () => {
  const history = async (input: Record<string, unknown>, who = {}) => {
    const { answer, body } = await ask(app, 'code_history', input, { roots: [root], cwd: root, ...who });
    return { text: answer.rendered.text, ...body };
  };

  it('names the commits that added or removed a line, with the lines', async () => {
    const { text } = await history({ pattern: 'oldName' }, { format: 'text' });
    expect(text.replace(/^[0-9a-f]{10} \S+/gm, 'HASH DAY')).toBe(
      [
        'HASH DAY Rename it',
        '  README.md',
        '    -About oldName.',
        '  src/old.ts',
        '    -export function oldName() {',
        'HASH DAY Add the old name',
        '  README.md',
        '    +About oldName.',
        '  src/old.ts',
        '    +export function oldName() {',
      ].join('\n'),
    );
    const { data } = await history({ pattern: 'function \\w+\\(', path: 'src', rev: 'v1' });
    expect(data.commits).toMatchObject([
      {
        subject: 'Add the old name',
        files: [{ path: 'src/old.ts', lines: ['+export function oldName() {'] }],
      },
    ]);
  });

  it('says how many lines of a file it leaves out', async () => {
    const { data } = await history({ pattern: 'item' });
    expect(data.commits[0].files).toEqual([
      { path: 'list.txt', lines: Array.from({ length: 6 }, () => '+item'), more: 2 },
    ]);
    expect((await history({ pattern: 'item' }, { format: 'text' })).text).toMatch(/\n {4}… 2 more lines$/);
  });

  it('finds no secret, and says what was looked at', async () => {
    const { data } = await history({ pattern: SECRET.slice(0, 12) });
    expect(data).toEqual({
      note: 'No match in what 2 commits changed.',
      commits: [],
    });
    // The number of commits does not tell a secret from any other text.
    expect((await history({ pattern: 'zzzznothere' })).data).toEqual(data);
    expect((await history({ pattern: 'const key' })).text).toContain('[redacted:');
    expect((await history({ pattern: 'x', rev: 'no-such' })).error.code).toBe('not_found');
  });
});
