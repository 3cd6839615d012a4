import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { escapedName, pathOnDisk } from './file-name.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-name-')));
afterAll(() => rmSync(base, { recursive: true }));

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('names that are not UTF-8', () => {
  it.each([
    ['plain.txt', 'plain.txt'],
    ['caf\xe9.txt', 'caf\\xe9.txt'],
    ['\xff\xfe', '\\xff\\xfe'],
    // A cut-off character, and a surrogate, which UTF-8 does not have.
    ['a\xe2\x82', 'a\\xe2\\x82'],
    ['\xed\xa0\x80', '\\xed\\xa0\\x80'],
  ])('%j is shown as %s and found again', (name, shown) => {
    expect(escapedName(latin1(name))).toBe(shown);
    const found = pathOnDisk(`/none/${shown}`);
    expect(Buffer.from(found)).toEqual(Buffer.concat([Buffer.from('/none/'), latin1(name)]));
  });

  it('leaves names that are UTF-8 alone, also those with a replacement character', () => {
    expect(escapedName(Buffer.from('é \ufffd 日本'))).toBe('é \ufffd 日本');
  });

  it('means a file that is really called so', () => {
    writeFileSync(join(base, 'odd\\xe9'), '');
    expect(pathOnDisk(join(base, 'odd\\xe9'))).toBe(join(base, 'odd\\xe9'));
    expect(pathOnDisk(join(base, 'other\\xe9'))).toEqual(
      Buffer.concat([Buffer.from(`${base}/other`), Buffer.of(0xe9)]),
    );
  });

  it('takes escapes that spell a character for what they are: text', () => {
    expect(pathOnDisk('/none/\\xc3\\xa9')).toBe('/none/\\xc3\\xa9');
    expect(pathOnDisk('C:\\xylophone\\x41')).toBe('C:\\xylophone\\x41');
  });
});
