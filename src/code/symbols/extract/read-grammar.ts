import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { GRAMMAR_FILES } from './grammar-files.data.ts';

/** A grammar: packed beside the built program, or in the package it comes from. */
export function readGrammar(name: string): Uint8Array {
  const packed = packedGrammar(name);
  if (packed !== undefined) return gunzipSync(readFileSync(packed));
  const place = GRAMMAR_FILES[name];
  if (place === undefined) throw new Error(`There is no grammar for ${name}.`);
  const packageFile = createRequire(import.meta.url).resolve(`${place[0]}/package.json`);
  return readFileSync(join(dirname(packageFile), place[1]));
}

/**
 * The build puts grammars into their own folder, since users do not have the packages; the bundles are beside or below
 * it.
 */
function packedGrammar(name: string): string | undefined {
  const folder = dirname(fileURLToPath(import.meta.url));
  return [folder, dirname(folder)]
    .map((parent) => join(parent, 'grammars', `${name}.wasm.gz`))
    .find((path) => existsSync(path));
}
