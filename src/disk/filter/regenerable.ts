import { uint8At, uint32At } from '../../contract/at.ts';
import { NOT_ENTERED } from '../scan/node-kinds.ts';
import type { Span } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { childByName, lowerBound, nameOf, parentFolder } from '../tree/tree-nodes.ts';

/** Folders that a tool makes again whenever it needs them. */
const ALWAYS = new Set(
  'node_modules bower_components __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv .cache Caches _cacache .parcel-cache .turbo .next .nuxt .svelte-kit .angular .gradle .nyc_output .terraform .dart_tool DerivedData Pods elm-stuff .stack-work dist-newstyle .zig-cache zig-out'.split(
    ' ',
  ),
);

/** Folders that a build makes, if they are beside the file that describes the build; elsewhere the name says nothing. */
const BESIDE_A_MANIFEST = new Set(['dist', 'build', 'target', 'out', 'coverage', 'venv']);
const MANIFESTS =
  'package.json Cargo.toml pyproject.toml setup.py requirements.txt pom.xml build.gradle build.gradle.kts settings.gradle CMakeLists.txt meson.build go.mod Makefile composer.json mix.exs build.sbt Package.swift deno.json'.split(
    ' ',
  );

/** Marks folders whose content can be made again, without those inside another such folder. */
export function regenerableMarks(tree: Tree, { from, to }: Span): Uint8Array {
  const marks = new Uint8Array(tree.meta.nodes);
  const { dirRow } = tree;
  for (let folder = lowerBound(dirRow, from, dirRow.length); folder < dirRow.length; ) {
    const row = uint32At(dirRow, folder);
    if (row > to) break;
    const found = isRegenerable(tree, folder, row);
    if (found) marks[row] = 1;
    folder += found ? uint32At(tree.dirDirs, folder) + 1 : 1;
  }
  return marks;
}

function isRegenerable(tree: Tree, folder: number, row: number): boolean {
  if (folder === 0 || (uint8At(tree.kind, row) & NOT_ENTERED) !== 0) return false;
  const name = nameOf(tree, row);
  if (ALWAYS.has(name)) return true;
  // https://bford.info/cachedir/
  if (childByName(tree, folder, 'CACHEDIR.TAG') >= 0) return true;
  const above = parentFolder(tree, folder);
  return BESIDE_A_MANIFEST.has(name) && MANIFESTS.some((manifest) => childByName(tree, above, manifest) >= 0);
}
