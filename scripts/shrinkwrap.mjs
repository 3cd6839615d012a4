// Writes npm-shrinkwrap.json for the package: the exact versions and checksums of what it needs at run time, so that
// everybody installs what was tested. `--remove` deletes it again: in the repository, the lock file is enough.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const FILE = 'npm-shrinkwrap.json';

if (process.argv.includes('--remove')) rmSync(FILE, { force: true });
else {
  const { name, version, lockfileVersion, packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const { devDependencies, ...root } = packages[''];
  const needed = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    // Where to download a package from is up to whoever installs it; the checksum proves that it is the same.
    .map(([path, { resolved, ...entry }]) => [path, entry]);
  for (const [path, { integrity }] of needed)
    if (integrity === undefined) throw new Error(`package-lock.json has no checksum of ${path}`);
  const content = {
    name,
    version,
    lockfileVersion,
    requires: true,
    packages: { '': root, ...Object.fromEntries(needed) },
  };
  writeFileSync(FILE, `${JSON.stringify(content, undefined, 2)}\n`);
}
