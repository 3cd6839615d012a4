import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const PERMISSIVE = new Set([
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'BlueOak-1.0.0',
]);

afterAll(() => rmSync('npm-shrinkwrap.json', { force: true }));

test('what is needed at run time has exact versions', () => {
  for (const [name, version] of Object.entries(manifest.dependencies))
    expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
});

test('the package is made with the versions and checksums of everything that it installs', () => {
  expect(manifest.scripts.prepack).toContain('shrinkwrap.mjs');
  execFileSync(process.execPath, ['scripts/shrinkwrap.mjs']);
  const text = readFileSync('npm-shrinkwrap.json', 'utf8');
  const { packages } = JSON.parse(text);
  expect(packages[''].dependencies).toEqual(manifest.dependencies);
  expect(packages[''].devDependencies).toBeUndefined();
  const installed = Object.entries<{ integrity?: string; dev?: boolean }>(packages).slice(1);
  expect(installed.length).toBeGreaterThan(10);
  for (const [path, { integrity, dev }] of installed)
    expect([path, integrity, dev]).toEqual([path, expect.stringMatching(/^sha512-/), undefined]);
  for (const name of Object.keys(manifest.dependencies))
    expect(packages).toHaveProperty([`node_modules/${name}`]);
  expect(text).not.toContain('"resolved"');
});

test('the list of parts names them all, under permissive licences', () => {
  const out = execFileSync('npm', ['sbom', '--omit', 'dev', '--sbom-format', 'cyclonedx', '--offline'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { bomFormat, components } = JSON.parse(out);
  expect(bomFormat).toBe('CycloneDX');
  const names = components.map(({ name, group }: { name: string; group?: string }) =>
    group ? `${group}/${name}` : name,
  );
  for (const name of Object.keys(manifest.dependencies)) expect(names.join(' ')).toContain(name);
  const licences = components.flatMap(
    ({ licenses = [] }: { licenses?: { license?: { id?: string }; expression?: string }[] }) =>
      licenses.map(({ license, expression }) => license?.id ?? expression ?? 'unknown'),
  );
  expect(licences.length).toBe(components.length);
  expect([...new Set(licences)].filter((id) => !PERMISSIVE.has(String(id)))).toEqual([]);
});

test('the package contains what runs, and no sources, tests or maps', () => {
  const out = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const paths: readonly string[] = JSON.parse(out)[0].files.map(({ path }: { path: string }) => path);
  expect(paths).toContain('dist/main.js');
  expect(
    paths.filter((path) => /^(?:src|test|web|bench|scripts)\/|\.map$|\.tsx?$|(?:^|\/)\.env/.test(path)),
  ).toEqual([]);
});

test('the release is checked for known weaknesses, and says where it was built', () => {
  const workflow = readFileSync('.github/workflows/release.yml', 'utf8');
  const steps = ['npm ci --ignore-scripts', 'npm audit --omit dev', 'npm test', 'npm publish --provenance'];
  const places = steps.map((step) => workflow.indexOf(`- run: ${step}`));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(workflow).toContain('npm sbom --omit dev');
  expect(workflow).toContain('id-token: write');
});
