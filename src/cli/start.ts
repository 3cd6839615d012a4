import { usableDataFolder } from '../app/home.ts';
import { findOwner } from '../daemon/find-owner.ts';
import { endOnSignals, killThisProcess } from '../daemon/leave.ts';
import { becomeOwner, DEFAULT_PORT, isLoopback, type Owner } from '../daemon/owner.ts';
import type { BuiltIn } from './built-in.ts';
import { readFlags, wholeNumber } from './flags.ts';
import { bold, dim } from './style.ts';

export const start: BuiltIn = {
  usage: 'pinhole start [FOLDER] [flags]',
  flags: [
    ['--port N', `port to listen on (default ${DEFAULT_PORT}; taken: a free one)`],
    ['--host ADDRESS', 'address to listen on (default 127.0.0.1); any other asks every caller for the token'],
    ['--no-index', 'do not index the folder'],
  ],
  examples: ['pinhole start', 'pinhole start ~/projects/app --port 5000'],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      port: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      index: { type: 'boolean', default: true },
    });
    const home = usableDataFolder();
    const folder = positionals[0] ?? process.cwd();
    const owner = await becomeOwner({
      home,
      host: values.host,
      port: wholeNumber('port', values.port ?? process.env.PINHOLE_PORT ?? String(DEFAULT_PORT), 0, 65_535),
      strictPort: values.port !== undefined,
      idleMs: undefined,
      kill: killThisProcess,
    });
    if (owner === undefined) {
      const running = await findOwner(home);
      process.stdout.write(
        `Pinhole already runs${running ? ` at http://${running.host}:${running.port} (pid ${running.pid})` : ''}. End it with: pinhole stop\n`,
      );
      return 0;
    }
    endOnSignals(owner.stop);
    greet(owner, values.host, home);
    if (values.index) {
      const { indexFolder } = await import('./index-folder.ts');
      await indexFolder(owner, folder);
    }
    await owner.ended;
    return 0;
  },
};

function greet(owner: Owner, host: string, home: string): void {
  const lines = [
    `${bold('Pinhole')} is running at ${bold(`http://${host}:${owner.port}`)}  ${dim('(Ctrl-C ends it)')}`,
    '',
    `  For an agent   npx pinhole setup   ${dim('(adds it to the agents it finds)')}`,
    `                 or over HTTP: http://${host}:${owner.port}/mcp`,
    `  For a script   curl http://${host}:${owner.port}/api/health`,
    `  For you        npx pinhole --help`,
    `  Data           ${home}`,
  ];
  if (!isLoopback(host)) {
    const here = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    lines.push(
      `  Token          every caller needs: Authorization: Bearer ${owner.token}`,
      `  The page       http://${here}:${owner.port}${owner.pageLink()}   ${dim('(signs in once; pinhole open makes another)')}`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
