import { statSync } from 'node:fs';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { PinholeError } from '../contract/errors.ts';
import { DEFAULT_PORT } from '../daemon/default-port.ts';
import { endWithParent, runInChild } from './start-in-child.ts';

export const start: BuiltIn = {
  usage: 'pinhole start [FOLDER] [flags]',
  flags: [
    ['--port N', `port to listen on (default ${DEFAULT_PORT}, or a free one if taken)`],
    ['--host ADDRESS', 'address to listen on (default 127.0.0.1; 0.0.0.0 for all)'],
    ['--database URL', 'run as a node of a team server, with this PostgreSQL (also: PINHOLE_DATABASE_URL)'],
    ['--settings FILE', 'address, provider and people of the team server (also: PINHOLE_TEAM_SETTINGS)'],
    ['--no-index', 'do not index the folder; with a database, only a folder that is named is indexed'],
  ],
  examples: ['pinhole start', 'pinhole start ~/projects/app --port 5000'],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      port: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      index: { type: 'boolean', default: true },
      database: { type: 'string' },
      settings: { type: 'string' },
    });
    if (values.settings !== undefined) process.env.PINHOLE_TEAM_SETTINGS = values.settings;
    if (values.database !== undefined) process.env.PINHOLE_DATABASE_URL = values.database;
    const [folder = process.cwd(), ...more] = positionals;
    // A team server is started anywhere; what is there is not for the team unless somebody says so.
    const indexes = values.index && (positionals.length > 0 || !process.env.PINHOLE_DATABASE_URL);
    noMoreWords(more);
    if (!isFolder(folder))
      throw new PinholeError('not_found', `There is no folder '${folder}'. Give one that exists, or none.`);
    const ended = await runInChild();
    if (ended !== undefined) return ended;
    endWithParent();
    const { serveInTerminal } = await import('./serve-in-terminal.ts');
    await serveInTerminal({ host: values.host, port: values.port, folder: indexes ? folder : undefined });
    return 0;
  },
};

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
