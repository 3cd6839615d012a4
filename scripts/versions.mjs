// All files that contain the version. `npm version` writes package.json; this updates the others.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Each file, with how often our version occurs in it. */
export const VERSIONED = [
  ['server.json', 2],
  ['packaging/mcpb/manifest.json', 1],
  ['packaging/plugin/.claude-plugin/plugin.json', 1],
  ['packaging/plugin/.codex-plugin/plugin.json', 1],
  ['packaging/plugin/.cursor-plugin/plugin.json', 1],
  ['packaging/plugin/gemini-extension.json', 1],
];

/** Files that tell clients which version to start. */
export const PINNED = [
  'README.md',
  'docs/guide/clients.md',
  'docs/guide/teams.md',
  'docs/guide/scripting.md',
  'packaging/plugin/.mcp.json',
  'packaging/plugin/gemini-extension.json',
];

const FIELD = /("version": ")([^"]*)(")/g;
const PIN = /(@pinhole-tools\/pinhole@)(\d+\.\d+\.\d+[\w.-]*)/g;

/** The versions that a file names. */
export function versionsIn(file) {
  return [...readFileSync(join(root, file), 'utf8').matchAll(FIELD)].map(([, , version]) => version);
}

/** The versions of the package that a file tells clients to start. */
export function pinsIn(file) {
  return [...readFileSync(join(root, file), 'utf8').matchAll(PIN)].map(([, , version]) => version);
}

export function ownVersion() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file] of VERSIONED) {
    const path = join(root, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(FIELD, `$1${ownVersion()}$3`));
  }
  for (const file of PINNED) {
    const path = join(root, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(PIN, `$1${ownVersion()}`));
  }
}
