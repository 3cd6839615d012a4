import { usableDataFolder } from '../app/home.ts';
import { wholeNumber } from '../command/flags.ts';
import { killThisProcess, stopOnSignals } from '../connect/end-process.ts';
import { findBackground } from '../connect/find-background.ts';
import { stopBackground } from '../connect/stop-background.ts';
import { PinholeError } from '../contract/errors.ts';
import {
  type Background,
  type BackgroundOptions,
  localAddress,
  startBackground,
} from '../daemon/background.ts';
import { DEFAULT_PORT } from '../daemon/default-port.ts';
import { ownCommand } from '../mcp/own-command.ts';
import { bold, dim } from './colours.ts';

export interface Serving {
  readonly host: string;
  /** As given with `--port`. */
  readonly port: string | undefined;
  /** The folder to allow and to index, if any. */
  readonly folder: string | undefined;
}

/** Serves until somebody stops it. */
export async function serveInTerminal({ host, port: asked, folder }: Serving): Promise<void> {
  const home = usableDataFolder();
  const port = wholeNumber('--port', asked ?? process.env.PINHOLE_PORT ?? String(DEFAULT_PORT), 0, 65_535);
  const options: BackgroundOptions = {
    ...{ home, host, port },
    strictPort: asked !== undefined,
    idleMs: undefined,
    allow: folder,
    kill: killThisProcess,
  };
  const background = (await startBackground(options)) ?? (await takeOver(options));
  stopOnSignals(background.stop);
  if (port !== 0 && background.port !== port)
    process.stdout.write(`Port ${port} is taken; this is port ${background.port}.\n\n`);
  const command = ownCommand(process.argv[1] ?? 'pinhole', process.env.PATH ?? '');
  greet(background, { host, home, command });
  const { newlyAllowed } = background;
  if (newlyAllowed !== undefined)
    process.stdout.write(
      `Every agent and script may now read ${newlyAllowed}. Undo: ${command} allow ${newlyAllowed} --remove\n`,
    );
  if (folder !== undefined) {
    const { indexWithProgress } = await import('./index-with-progress.ts');
    await indexWithProgress(background, folder);
  }
  await background.ended;
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
