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
  ({ root } = await temporaryRepository());
  writeFiles(root, {
    'src/a.ts': 'try {\n  go();\n} catch (error) {\n}\nend();\n',
    'src/keys.ts': `first();\nconst key = '${SECRET}';\nuse(\n  key,\n);\nlast();\n`,
  });
});

const search = async (input: Record<string, unknown>) => {
  const { answer, body } = await ask(
    app,
    'regex_search',
    { multiline: true, ...input },
    { roots: [root], cwd: root },
  );
  return { text: answer.rendered.text, ...body };
};
const linesOf = async (pattern: string, more = {}) => {
  const { data } = await search({ pattern, ...more });
  return (data.matches ?? []).flatMap(
    ({ path, hits }: { readonly path: string; readonly hits: readonly { readonly line: number }[] }) =>
      hits.map(({ line }) => `${path}:${line}`),
  );
};

describe('regex_search over lines', () => {
  it('shows every line of a match, with its number', async () => {
    const { data } = await search({ pattern: 'catch \\(\\w+\\) \\{\\s*\\}', include_snippet: true });
    expect(data.matches).toMatchObject([
      {
        path: 'src/a.ts',
        hits: [
          { line: 3, text: '} catch (error) {' },
          { line: 4, text: '}' },
        ],
      },
    ]);
    expect((await search({ pattern: 'go\\(\\);\\n\\}', output: 'count' })).data.count).toMatchObject({
      hits: 2,
      files: 1,
    });
  });

  it('needs (?s) for a dot to match a line break', async () => {
    expect(await linesOf('go.*end')).toEqual([]);
    expect(await linesOf('(?s)go.*end')).toEqual(['src/a.ts:2', 'src/a.ts:3', 'src/a.ts:4', 'src/a.ts:5']);
  });

  it('says what a line break needs when the parameter is missing', async () => {
    const { error } = await search({ pattern: 'a\\nb', multiline: false });
    expect(error.message).toContain('a line break needs multiline (-U)');
  });

  it('never matches inside a secret, whatever the rest of the pattern is', async () => {
    const right = SECRET.slice(0, 10);
    const wrong = `${SECRET.slice(0, 9)}#`;
    for (const make of [
      (guess: string) => `${guess}[^\\n]*\\nuse`,
      (guess: string) => `(?s)${guess}.*last`,
      (guess: string) => `(${guess}[^\\n]*\\n)?use\\(\\n`,
      (guess: string) => `${guess}|redacted`,
      (guess: string) => `key = '${guess}|\\[redacted`,
      (guess: string) => `first\\(\\);\\n.*${guess}|last`,
      (guess: string) => `(?-u:[^a])${guess.slice(4)}`,
      (guess: string) => `(?s:.)*${guess}|last\\(`,
    ]) {
      const found = await linesOf(make(right));
      expect(found).toEqual(await linesOf(make(wrong)));
      expect(found).not.toContain('src/keys.ts:2');
    }
    const around = await search({ pattern: 'const key = *\\w*|first\\(\\);\\nconst key' });
    expect(around.data.matches).toMatchObject([
      { path: 'src/keys.ts', hits: [{ line: 1 }, { line: 2, text: expect.stringContaining('[redacted:') }] },
    ]);
    expect(around.text).not.toContain(SECRET.slice(4, 12));
  });

  it('is refused together with rev', async () => {
    const { error } = await search({ pattern: 'a', rev: 'HEAD' });
    expect(error.message).toBe('multiline does not work with rev. Leave it out.');
  });
});
