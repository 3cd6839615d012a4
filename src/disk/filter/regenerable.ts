import { int32At, uint8At, uint32At } from '../../contract/at.ts';
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

const PROJECT_FILES = new Set([...MANIFESTS, '.git']);
const PROJECT_FILE_LENGTHS = new Set(Array.from(PROJECT_FILES, (name) => name.length));

/** By folder: the number of the nearest folder around it that holds a project, or -1. Projects inside folders that can be made again are not looked at. */
export function projectFolders(tree: Tree, span: Span): Int32Array {
  const { nameAt, parent, dirRow } = tree;
  const holds = new Uint8Array(dirRow.length);
  for (let row = span.from + 1; row <= span.to; row++) {
    const length = uint32At(nameAt, row + 1) - uint32At(nameAt, row);
    if (PROJECT_FILE_LENGTHS.has(length) && PROJECT_FILES.has(nameOf(tree, row)))
      holds[uint32At(parent, row)] = 1;
  }
  const marks = regenerableMarks(tree, span);
  const projects = new Int32Array(dirRow.length).fill(-1);
  for (let folder = 0; folder < projects.length; folder++) {
    const row = uint32At(dirRow, folder);
    if (row < span.from || row > span.to) continue;
    const around = row === span.from ? -1 : int32At(projects, parentFolder(tree, folder));
    const made = marks[row] === 1;
    projects[folder] = holds[folder] === 1 && !made ? folder : around;
    // Nothing below it is a project of its own.
    if (made) {
      const last = folder + uint32At(tree.dirDirs, folder);
      projects.fill(around, folder, last + 1);
      folder = last;
    }
  }
  return projects;
}

/** Marks folders whose content can be made again, without those inside another such folder. */
export function regenerableMarks(tree: Tree, { from, to }: Span): Uint8Array {
  const marks = new Uint8Array(tree.meta.nodes);
  const { dirRow } = tree;
  const tagged = taggedFolders(tree, from, to);
  for (let folder = lowerBound(dirRow, from, dirRow.length); folder < dirRow.length; ) {
    const row = uint32At(dirRow, folder);
    if (row > to) break;
    const found = isRegenerable(tree, folder, row, tagged);
    if (found) marks[row] = 1;
    folder += found ? uint32At(tree.dirDirs, folder) + 1 : 1;
  }
  return marks;
}

/** https://bford.info/cachedir/ */
const CACHE_TAG = 'CACHEDIR.TAG';

/** The folders that hold the tag of a cache; one look at all names is faster than a search in each folder. */
function taggedFolders(tree: Tree, from: number, to: number): ReadonlySet<number> {
  const { nameAt, parent } = tree;
  const tagged = new Set<number>();
  for (let row = from + 1; row <= to; row++) {
    const length = uint32At(nameAt, row + 1) - uint32At(nameAt, row);
    if (length === CACHE_TAG.length && nameOf(tree, row) === CACHE_TAG) tagged.add(uint32At(parent, row));
  }
  return tagged;
}

function isRegenerable(tree: Tree, folder: number, row: number, tagged: ReadonlySet<number>): boolean {
  if (folder === 0 || (uint8At(tree.kind, row) & NOT_ENTERED) !== 0) return false;
  const name = nameOf(tree, row);
  if (ALWAYS.has(name)) return true;
  if (tagged.has(folder)) return true;
  const above = parentFolder(tree, folder);
  return BESIDE_A_MANIFEST.has(name) && MANIFESTS.some((manifest) => childByName(tree, above, manifest) >= 0);
}
