// The licences of the packages whose code is inside dist: what the bundler read, and what the page imports.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ALLOWED = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
]);

/** What a package passes on that has another author and licence. */
const INSIDE = {
  '@cursorless/tree-sitter-wasms': `Of this package only the grammar of Swift is used: tree-sitter-swift, MIT licence.

Copyright (c) 2021 alex-pinkus

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`,
};

/** The package folder of a module: `node_modules/a/node_modules/@b/c/x.js` as `node_modules/a/node_modules/@b/c`. */
export function packageFolder(path) {
  return /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0];
}

/** The folders of the packages that sources import by name, and of their dependencies. */
function importedPackages(root, sourceFolder) {
  const found = new Set();
  const add = (name, from) => {
    const folder = [join(from, 'node_modules', name), join(root, 'node_modules', name)].find((path) =>
      existsSync(join(path, 'package.json')),
    );
    if (folder === undefined || found.has(folder)) return;
    found.add(folder);
    for (const dependency of Object.keys(readPackage(folder).dependencies ?? {})) add(dependency, folder);
  };
  if (!existsSync(sourceFolder)) return found;
  for (const entry of readdirSync(sourceFolder, { withFileTypes: true, recursive: true })) {
    if (!/\.(ts|tsx|css)$/.test(entry.name) || /\.test\.tsx?$/.test(entry.name)) continue;
    const text = readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8');
    for (const [, name] of text.matchAll(/(?:from|import|import\() ?'((?:@[\w.-]+\/)?[a-z][\w.-]*)/g))
      add(name, root);
  }
  return found;
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function licenceText(folder) {
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)(\.|-|$)/i.test(file));
  return name === undefined ? undefined : readFileSync(join(folder, name), 'utf8').trim();
}

function authorOf({ author, contributors }) {
  const person = author ?? contributors?.[0];
  return typeof person === 'string' ? person : (person?.name ?? 'its authors');
}

/** The text of the notice file. Throws if a package's licence does not allow redistribution like this. */
export function thirdParty(root, modules) {
  const folders = new Set(
    [...modules]
      .map(packageFolder)
      .filter((folder) => folder !== undefined)
      .map((folder) => resolve(root, folder)),
  );
  for (const folder of importedPackages(root, join(root, 'web'))) folders.add(folder);
  const notices = new Map();
  for (const folder of folders) {
    const about = readPackage(folder);
    if (!ALLOWED.has(about.license))
      throw new Error(
        `${about.name} has the licence ${about.license}; scripts/third-party.mjs does not know it`,
      );
    const text =
      INSIDE[about.name] ??
      licenceText(folder) ??
      `Licence: ${about.license}. Copyright by ${authorOf(about)}.`;
    notices.set(
      `${about.name} ${about.version} (${INSIDE[about.name] === undefined ? about.license : 'MIT'})`,
      text,
    );
  }
  const parts = [...notices]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, text]) => `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text}\n`);
  return `Pinhole is MIT licensed (see LICENSE). Its built files contain code of these packages:\n\n${parts.join('\n')}`;
}
