// Makes dist-mcpb/pinhole.mcpb: the package with its dependencies, for clients that install bundles with a click.
// Native modules are those of this platform, and the manifest says so; run it on each platform to support.
// Bundles the packed tarball given as argument; without one, packs the checkout first.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const stage = mkdtempSync(join(tmpdir(), 'pinhole-mcpb-'));
const run = (program, args, cwd) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });

try {
  run('tar', ['xzf', process.argv[2] ? resolve(process.argv[2]) : pack()], stage);
  const bundle = join(stage, 'package');
  run(
    'npm',
    ['install', '--omit=dev', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'],
    bundle,
  );
  const manifest = JSON.parse(readFileSync(join(root, 'packaging/mcpb/manifest.json'), 'utf8'));
  manifest.compatibility.platforms = [process.platform];
  writeFileSync(join(bundle, 'manifest.json'), JSON.stringify(manifest, undefined, 2));
  const target = join(root, 'dist-mcpb', `pinhole-${process.platform}-${process.arch}.mcpb`);
  mkdirSync(dirname(target), { recursive: true });
  run('npx', ['mcpb', 'pack', bundle, target], root);
  console.log(`${target}: ${Math.round(statSync(target).size / 1e6)} MB`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}

function pack() {
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', stage], root).toString(),
  );
  return join(stage, filename);
}
