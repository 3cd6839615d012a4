import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { v0_3 as bundle } from '@anthropic-ai/mcpb/browser';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ownVersion, PINNED, pinsIn, VERSIONED, versionsIn } from '../scripts/versions.mjs';
import { OPERATIONS } from '../src/app/operations.ts';
import { BUILT_INS } from '../src/cli/built-ins.ts';
import { PINNED_PACKAGE } from '../src/contract/version.ts';

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const about = json('package.json');
const markdown = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

describe('versions', () => {
  test.each(VERSIONED)('%s has the version of the package', (file, count) => {
    expect(versionsIn(file)).toEqual(Array(count).fill(ownVersion()));
  });

  test.each(PINNED)('%s tells clients to start the version of the package', (file) => {
    expect(new Set(pinsIn(file))).toEqual(new Set([ownVersion()]));
  });

  test('the lock file too', () => {
    expect(json('package-lock.json').version).toBe(ownVersion());
  });
});

// The parts of the registry's schema of 2025-12-11 that we use.
const registryEntry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string().min(1),
      version: z.string().min(1),
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(
        z.union([
          z.strictObject({ type: z.literal('positional'), value: z.string() }),
          z.strictObject({
            type: z.literal('named'),
            name: z.string().startsWith('--'),
            description: z.string(),
            format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
            default: z.string().optional(),
            isRepeated: z.boolean().optional(),
          }),
        ]),
      ),
      environmentVariables: z.array(
        z.strictObject({ name: z.string(), description: z.string(), format: z.literal('filepath') }),
      ),
    }),
  ),
});

describe('registry and bundle', () => {
  test('server.json is what the registry takes, and names this package', () => {
    const entry = registryEntry.parse(json('server.json'));
    expect(entry.name).toBe(about.mcpName);
    expect(entry.packages[0]?.identifier).toBe(about.name);
  });

  test('the .mcpb manifest is valid and starts what the package has', () => {
    const manifest = bundle.McpbManifestSchema.parse(json('packaging/mcpb/manifest.json'));
    expect(manifest.server.entry_point).toBe(about.bin.pinhole);
    expect(manifest.compatibility?.runtimes?.node).toBe(about.engines.node);
  });
});

describe('plugin', () => {
  const folder = 'packaging/plugin';
  const server = { command: 'npx', args: ['-y', PINNED_PACKAGE, 'mcp'] };

  test('every client starts the same server', () => {
    expect(json(join(folder, '.mcp.json')).mcpServers).toEqual({ pinhole: server });
    expect(json(join(folder, 'gemini-extension.json')).mcpServers).toEqual({ pinhole: server });
    for (const client of ['codex', 'cursor']) {
      const manifest = json(join(folder, `.${client}-plugin/plugin.json`));
      expect(existsSync(join(folder, manifest.mcpServers))).toBe(true);
      expect(existsSync(join(folder, manifest.skills, 'pinhole/SKILL.md'))).toBe(true);
    }
  });

  test.each(['.claude-plugin', '.cursor-plugin', '.agents/plugins'])(
    'the catalogue in %s finds it',
    (place) => {
      const [{ name, source }] = json(join(place, 'marketplace.json')).plugins;
      expect(name).toBe('pinhole');
      expect(statSync(typeof source === 'string' ? source : source.path).isDirectory()).toBe(true);
    },
  );

  test('the skill names only tools and commands that exist, and is short', () => {
    const text = readFileSync(join(folder, 'skills/pinhole/SKILL.md'), 'utf8');
    expect(Buffer.byteLength(text)).toBeLessThan(5_000);
    expect(text).toMatch(/^---\nname: pinhole\ndescription: .{50,1024}\n---\n/);
    const tools = new Set<string>(OPERATIONS.map(({ name }) => name));
    const named = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name);
    expect(
      named.filter((name) => !tools.has(name ?? '') && !['next_cursor', 'group_by'].includes(name ?? '')),
    ).toEqual([]);
    const commands = [
      ...OPERATIONS.flatMap(({ command }) => command?.words ?? []),
      ...BUILT_INS.map(({ name }) => name),
      'help',
    ];
    for (const [, line = ''] of text.matchAll(/`pinhole ([a-z][^`]*)`/g))
      expect(
        commands.filter((words) => `${line} `.startsWith(`${words} `)),
        line,
      ).not.toEqual([]);
  });
});

test('npm shows where the package comes from, and its pictures', () => {
  expect(about).toMatchObject({
    name: '@pinhole-tools/pinhole',
    author: expect.any(String),
    homepage: expect.stringMatching(/^https:/),
    bugs: expect.stringMatching(/^https:/),
    repository: { type: 'git', url: expect.stringMatching(/^git\+https:/) },
  });
  const pictures = [...readFileSync('README.md', 'utf8').matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(
    ([, url]) => url,
  );
  const base = 'https://raw.githubusercontent.com/pinhole-tools/pinhole/main/';
  expect(pictures.length).toBeGreaterThan(0);
  for (const url of pictures) {
    expect(url?.startsWith(base), url).toBe(true);
    expect(existsSync(url?.slice(base.length) ?? ''), url).toBe(true);
  }
});

test('no document or file tells anybody to run the package of that name without our scope', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join('src', path));
  const documents = ['README.md', 'server.json', ...markdown('docs'), ...markdown('packaging')];
  const files = [...documents, ...PINNED, ...sources];
  for (const file of files)
    expect(readFileSync(file, 'utf8'), file).not.toMatch(
      /npx (-y |--yes )?(-- )?(-y )?pinhole\b|--global pinhole\b/,
    );
});

/** Whether a range of `engines` includes a version, as far as packages write them. */
function includes(range: string, version: readonly number[]): boolean {
  const compare = (words: string) => {
    const other = words.split('.').map((word) => Number.parseInt(word, 10) || 0);
    return (
      [0, 1, 2].map((i) => (version[i] ?? 0) - (other[i] ?? 0)).find((difference) => difference !== 0) ?? 0
    );
  };
  return range.split('||').some((clause) =>
    [...clause.replace(/([<>=^~]+)\s+/g, '$1').matchAll(/([<>=^~]*)v?(\d[\w.]*)/g)].every(
      ([, sign = '', words = '']) => {
        const difference = compare(words);
        if (sign === '>=') return difference >= 0;
        if (sign === '>') return difference > 0;
        if (sign === '<') return difference < 0;
        if (sign === '<=') return difference <= 0;
        return difference >= 0 && Number.parseInt(words, 10) === version[0];
      },
    ),
  );
}

test('every package that is installed supports the oldest Node.js that we do', () => {
  const oldest = about.engines.node.replace('>=', '').split('.').map(Number);
  expect([includes('>=22', oldest), includes('^18 || >=20.12', oldest)]).toEqual([false, true]);
  const packages = z
    .record(z.string(), z.looseObject({ engines: z.record(z.string(), z.string()).optional() }))
    .parse(json('package-lock.json').packages);
  const newer = Object.entries(packages).filter(
    ([, { engines }]) => engines?.node !== undefined && !includes(engines.node, oldest),
  );
  expect(newer.map(([name]) => name)).toEqual([]);
});

test('dependencies are exactly what is left out of the bundle', () => {
  const build = readFileSync('scripts/build.mjs', 'utf8');
  const external = [...(/external: \[([^\]]*)\]/.exec(build)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(
    ([, name]) => name,
  );
  for (const name of Object.keys(about.dependencies)) expect(external).toContain(name);
  const kept = new Set(Object.keys(about.dependencies));
  for (const name of Object.keys(about.devDependencies)) expect(kept.has(name)).toBe(false);
});
