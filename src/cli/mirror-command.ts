import { dataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { readFlags } from '../command/flags.ts';
import { errorText, fail } from '../contract/errors.ts';
import { columns, countOf, sizeText } from '../contract/format.ts';
import { type Mirror, mirrorsIn } from '../team/mirrors/mirror-folders.ts';
import { mirrorUrl } from '../team/mirrors/mirror-url.ts';
import {
  addMirror,
  MIRROR_LIMITS,
  removeMirror,
  sizeOf,
  updateMirror,
} from '../team/mirrors/update-mirror.ts';

export const mirror: BuiltIn = {
  usage: 'pinhole mirror [URL | list | update [PROJECT] | remove PROJECT] [flags]',
  flags: [['--max-megabytes N', 'the largest repository to accept (default: 4000)']],
  examples: [
    'pinhole mirror https://github.com/acme/api.git',
    'pinhole mirror update',
    'pinhole mirror remove github.com/acme/api',
  ],
  values: { '': ['list', 'update', 'remove'] },
  async run(args) {
    const { values, positionals } = readFlags(args, {
      'max-megabytes': { type: 'string', default: String(MIRROR_LIMITS.bytes / 1e6) },
    });
    const megabytes = Number(values['max-megabytes']);
    if (!(megabytes > 0)) fail('invalid_parameter', '--max-megabytes takes a number.');
    const limits = { ...MIRROR_LIMITS, bytes: megabytes * 1e6 };
    const home = dataFolder();
    const [word = 'list', name, ...others] = positionals;
    const takes = word === 'update' || word === 'remove';
    if (others.length > 0 || (name !== undefined && !takes))
      fail('invalid_parameter', 'Too many arguments. See `pinhole mirror --help`.');
    if (word === 'list') return list(home);
    if (word === 'remove') {
      await removeMirror(
        mirrorNamed(home, name ?? fail('invalid_parameter', 'Which project? See `pinhole mirror`.')),
      );
      return say(`Removed ${name}.`);
    }
    if (word === 'update')
      return update(name === undefined ? mirrorsIn(home) : [mirrorNamed(home, name)], limits);
    const { project, path } = await addMirror(home, mirrorUrl(word), limits);
    return say(`${project} is mirrored in ${path}. Update it with: pinhole mirror update`);
  },
};

function say(line: string): 0 {
  process.stdout.write(`${line}\n`);
  return 0;
}

function mirrorNamed(home: string, name: string): Mirror {
  return (
    mirrorsIn(home).find(({ project }) => project === name) ??
    fail('not_found', `There is no mirror of ${name}. See \`pinhole mirror\`.`)
  );
}

async function list(home: string): Promise<number> {
  const rows = await Promise.all(
    mirrorsIn(home).map(async ({ project, path }) => [project, sizeText(await sizeOf(path)), path]),
  );
  return say(rows.length === 0 ? 'No mirrors. Make one: pinhole mirror URL' : columns(rows, [1]));
}

/** One that cannot be updated does not keep the others back. */
async function update(mirrors: readonly Mirror[], limits: typeof MIRROR_LIMITS): Promise<number> {
  let failed = 0;
  for (const one of mirrors)
    await updateMirror(one, limits).catch((error: unknown) => {
      failed++;
      process.stderr.write(`${one.project}: ${errorText(error)}\n`);
    });
  say(`Updated ${countOf(mirrors.length - failed, 'mirror')}.`);
  return failed === 0 ? 0 : 1;
}
