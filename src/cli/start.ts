import { usableDataFolder } from '../app/home.ts';
import { findOwner } from '../daemon/find-owner.ts';
import { endOnSignals, killThisProcess } from '../daemon/leave.ts';
import { becomeOwner, DEFAULT_PORT, type Owner } from '../daemon/owner.ts';
import type { BuiltIn } from './built-in.ts';
import { readFlags, wholeNumber } from './flags.ts';
import { bold, dim } from './style.ts';

export const start: BuiltIn = {
  usage: 'pinhole start [FOLDER] [flags]',
  flags: [
    ['--port N', `port to listen on (default ${DEFAULT_PORT}; taken: a free one)`],
    ['--host ADDRESS', 'address to listen on (default 127.0.0.1; 0.0.0.0 for all)'],
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
        `Pinhole already runs${running ? ` at http://${running.host}:${running.port} (pid ${running.pid})` : ''}. Open its page with: pinhole open. End it with: pinhole stop\n`,
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
  const here = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const address = `http://${here.includes(':') ? `[${here}]` : here}:${owner.port}`;
  const lines = [
    `${bold('Pinhole')} is running at ${bold(address)}  ${dim('(Ctrl-C ends it)')}`,
    '',
    `  The page       ${bold(address + owner.pageLink())}`,
    `                 ${dim('signs you in once, within 15 minutes; npx pinhole open makes another link')}`,
    `  For an agent   npx pinhole setup   ${dim('(adds it to the agents it finds)')}`,
    `                 or over HTTP: ${address}/mcp ${dim('with the token')}`,
    `  For a script   curl -H "Authorization: Bearer $(npx pinhole token)" ${address}/api/health`,
    `  For you        npx pinhole --help`,
    `  Data           ${home}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
