import { expect, test } from 'vitest';
import { writeFiles } from '../../../../test/fixtures/code/made-tree.ts';
import { temporaryFolder } from '../../../../test/support.ts';
import { TreeFiles } from './question-files.ts';
import { ScriptModules } from './script-modules.ts';

/** Where imports of a file lead, in a tree of these files. */
function found(from: string, modules: readonly string[], files: Readonly<Record<string, string>>) {
  const root = temporaryFolder();
  writeFiles(root, files);
  const scripts = new ScriptModules(new TreeFiles(root, new Map(Object.entries(files))));
  return modules.map((module) => scripts.of(from, module).join());
}

test('`paths` of a tsconfig that another one extends begin at its own folder', () => {
  const files = {
    'tsconfig.base.json': `{
  "compilerOptions": {
    "paths": {
      // not "@/*": ["./elsewhere/*"]
      "@/*": ["./src/*"],
      "@/deep/*": ["./deep/*"], // a comment
      "exact": ["./src/exact.ts"]
    }
  }
}`,
    'tsconfig.test.json': '{ "extends": "./tsconfig.base" }',
    'app/tsconfig.json': '{ "extends": ["../tsconfig.test.json"] }',
    'src/pool.ts': '',
    'src/exact.ts': '',
    'deep/well.ts': '',
    'app/main.ts': '',
  };
  expect(found('app/main.ts', ['@/pool', '@/deep/well', 'exact', '@/none'], files)).toEqual([
    'src/pool.ts',
    'deep/well.ts',
    'src/exact.ts',
    '',
  ]);
});

test('`baseUrl` of what a tsconfig extends, settings of a package, and projects that it refers to', () => {
  const files = {
    'config/package.json': '{ "name": "@team/config" }',
    'config/base.json': '{ "compilerOptions": { "baseUrl": "..", "paths": { "~/*": ["web/*"] } } }',
    'web/tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
    'web/tsconfig.app.json': '{ "extends": "@team/config/base.json" }',
    'web/main.ts': '',
    'web/view.ts': '',
  };
  expect(found('web/main.ts', ['~/view', 'web/view'], files)).toEqual(['web/view.ts', 'web/view.ts']);
});

test('`imports` and `exports` of a package.json, also where they name built files', () => {
  const files = {
    'package.json': '{ "name": "app", "imports": { "#core": "./src/core.ts", "#lib/*": "./dist/lib/*.js" } }',
    'src/core.ts': '',
    'src/lib/pool.ts': '',
    'other/package.json':
      '{ "name": "@team/other", "exports": { "./parts": { "types": "./dist/pieces/index.d.ts" } } }',
    'other/src/pieces/index.ts': '',
  };
  expect(found('src/core.ts', ['#core', '#lib/pool', '@team/other/parts', 'other'], files)).toEqual([
    'src/core.ts',
    'src/lib/pool.ts',
    'other/src/pieces/index.ts',
    '',
  ]);
});
