// Makes dist-mcpb/pinhole.mcpb: the package with its dependencies, for clients that install bundles by a click.
// Native modules are those of this platform; run it on each platform that shall be served.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const stage = mkdtempSync(join(tmpdir(), 'pinhole-mcpb-'));
const run = (program, args, cwd) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });

try {
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', stage], root).toString(),
  );
  run('tar', ['xzf', filename], stage);
  const bundle = join(stage, 'package');
  run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', '--no-package-lock'], bundle);
  cpSync(join(root, 'packaging/mcpb/manifest.json'), join(bundle, 'manifest.json'));
  const target = join(root, 'dist-mcpb', `pinhole-${process.platform}-${process.arch}.mcpb`);
  mkdirSync(dirname(target), { recursive: true });
  run('npx', ['mcpb', 'pack', bundle, target], root);
  console.log(`${target}: ${Math.round(statSync(target).size / 1e6)} MB`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
