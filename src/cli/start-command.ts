import { statSync } from 'node:fs';
import { usableDataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags, wholeNumber } from '../command/flags.ts';
import { killThisProcess, stopOnSignals } from '../connect/end-process.ts';
import { findBackground } from '../connect/find-background.ts';
import { stopBackground } from '../connect/stop-background.ts';
import { PinholeError } from '../contract/errors.ts';
import {
  type Background,
  type BackgroundOptions,
  DEFAULT_PORT,
  localAddress,
  startBackground,
} from '../daemon/background.ts';
import { ownCommand } from '../mcp/own-command.ts';
import { bold, dim } from './colours.ts';

export const start: BuiltIn = {
  usage: 'pinhole start [FOLDER] [flags]',
  flags: [
    ['--port N', `port to listen on (default ${DEFAULT_PORT}, or a free one if taken)`],
    ['--host ADDRESS', 'address to listen on (default 127.0.0.1; 0.0.0.0 for all)'],
    ['--database URL', 'be a node of a team server, with this PostgreSQL (also: PINHOLE_DATABASE_URL)'],
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
    const home = usableDataFolder();
    const port = wholeNumber(
      '--port',
      values.port ?? process.env.PINHOLE_PORT ?? String(DEFAULT_PORT),
      0,
      65_535,
    );
    const options: BackgroundOptions = {
      home,
      host: values.host,
      port,
      strictPort: values.port !== undefined,
      idleMs: undefined,
      allow: indexes ? folder : undefined,
      kill: killThisProcess,
    };
    const background = (await startBackground(options)) ?? (await takeOver(options));
    stopOnSignals(background.stop);
    if (port !== 0 && background.port !== port)
      process.stdout.write(`Port ${port} is taken; this is port ${background.port}.\n\n`);
    const command = ownCommand(process.argv[1] ?? 'pinhole', process.env.PATH ?? '');
    greet(background, { host: values.host, home, command });
    const { newlyAllowed } = background;
    if (newlyAllowed !== undefined)
      process.stdout.write(
        `Every agent and script may now read ${newlyAllowed}. Undo: ${command} allow ${newlyAllowed} --remove\n`,
      );
    if (indexes) {
      const { indexWithProgress } = await import('./index-with-progress.ts');
      await indexWithProgress(background, folder);
    }
    await background.ended;
    return 0;
  },
};

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Replaces the process that commands and agents started in the background. */
async function takeOver(options: BackgroundOptions): Promise<Background> {
  const running = await findBackground(options.home);
  if (running?.foreground) {
    throw new PinholeError(
      'conflict',
      `Pinhole is already running in a terminal, at http://${running.host}:${running.port} (pid ${running.pid}). Open its page: pinhole open. Stop it: pinhole stop`,
    );
  }
  await stopBackground(options.home);
  const background = await startBackground(options);
  if (background !== undefined) {
    if (running !== undefined)
      process.stdout.write(
        `Took over from the background process (pid ${running.pid}), which was stopped.\n\n`,
      );
    return background;
  }
  throw new PinholeError('conflict', 'Another Pinhole has just started. Try again, or stop it: pinhole stop');
}

interface Greeting {
  readonly host: string;
  readonly home: string;
  /** The words that start this program again. */
  readonly command: string;
}

function greet(background: Background, { host, home, command }: Greeting): void {
  const here = localAddress(host);
  const address = `http://${here.includes(':') ? `[${here}]` : here}:${background.port}`;
  const lines = [
    `${bold('Pinhole')} is running at ${bold(address)}  ${dim('(press Ctrl-C to stop it)')}`,
    '',
    `  The page       ${bold(address + background.pageLink())}`,
    `                 ${dim(`signs you in once, within 15 minutes; for a new link run: ${command} open`)}`,
    `  For an agent   ${command} setup   ${dim('(adds Pinhole to the agents it finds)')}`,
    `                 or over HTTP: ${address}/mcp ${dim('with the token')}`,
    `  For a script   curl -H "Authorization: Bearer $(${command} token)" ${address}/api/health`,
    `  For you        ${command} --help`,
    `  Data           ${home}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
