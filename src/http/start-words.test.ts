import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PINNED_PACKAGE } from '../contract/version.ts';
import { startWords } from './start-words.ts';

const npx = ['npx', '-y', PINNED_PACKAGE];

test('a checkout is started by its file', () => {
  expect(startWords('/srv/pinhole/dist/main.js', '')).toEqual(['node', '/srv/pinhole/dist/main.js']);
});

test('what npx runs is started through npx again', () => {
  expect(startWords('/home/me/.npm/_npx/1a/node_modules/@pinhole-tools/pinhole/dist/main.js', '')).toEqual(
    npx,
  );
});

test('an installed package is started by its name, if that is on the PATH', () => {
  const main = '/usr/lib/node_modules/@pinhole-tools/pinhole/dist/main.js';
  expect(startWords(main, '/nowhere')).toEqual(npx);
  const folder = mkdtempSync(join(tmpdir(), 'pinhole-bin-'));
  writeFileSync(join(folder, 'pinhole'), '');
  expect(startWords(main, folder)).toEqual(['pinhole']);
});

test('a program that runs Pinhole inside itself cannot be started again', () => {
  expect(startWords('/srv/node_modules/vitest/vitest.mjs', '')).toEqual(npx);
});
