/** How to get the content of a deleted folder back, by folder name. */
const WAYS: Readonly<Record<string, string>> = {
  node_modules: 'npm install',
  bower_components: 'bower install',
  '.venv': 'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt',
  venv: 'python3 -m venv venv && venv/bin/pip install -r requirements.txt',
  '.tox': 'tox',
  '.nox': 'nox',
  target: 'cargo build',
  dist: 'npm run build',
  build: 'npm run build',
  out: 'npm run build',
  coverage: 'npm test -- --coverage',
  '.nyc_output': 'npm test',
  '.next': 'npx next build',
  '.nuxt': 'npx nuxt build',
  '.svelte-kit': 'npx svelte-kit sync',
  '.angular': 'npx ng build',
  '.turbo': 'npx turbo build',
  '.parcel-cache': 'npx parcel build',
  '.gradle': './gradlew build',
  '.terraform': 'terraform init',
  '.dart_tool': 'dart pub get',
  DerivedData: 'xcodebuild',
  Pods: 'pod install',
  'elm-stuff': 'elm make',
  '.stack-work': 'stack build',
  'dist-newstyle': 'cabal build',
  '.zig-cache': 'zig build',
  'zig-out': 'zig build',
};

/** The command that recreates a folder, run in its parent; undefined for a cache, which refills by itself. */
export function commandFor(name: string): string | undefined {
  return WAYS[name];
}
