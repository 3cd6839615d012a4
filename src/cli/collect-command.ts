import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { usableDataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { fail } from '../contract/errors.ts';
import { columns, countOf, countText, sizeText } from '../contract/format.ts';
import { VERSION } from '../contract/version.ts';
import { isLoopback } from '../daemon/background.ts';
import { PROVIDERS } from '../sessions/providers/index.ts';
import { logFolders } from '../sessions/providers/log-files.ts';
import { tryLock } from '../store/lock.ts';
import type { CollectMessage } from '../team/collect-message.ts';
import { openPositions } from '../team/collect-positions.ts';
import { type CollectorDeps, createCollector, type Sent } from '../team/collector.ts';
import { followLogs } from '../team/follow-logs.ts';
import { sendMessage } from '../team/send-message.ts';

/** How long `--once` tries to reach the server. */
const PATIENCE_MS = 60_000;

export const collect: BuiltIn = {
  usage: 'pinhole collect --to URL [flags]',
  flags: [
    ['--to URL', 'address of the team server (also: PINHOLE_COLLECT_TO); not needed for --dry-run'],
    [
      '--token TOKEN',
      'a token with the scope collect (also: PINHOLE_COLLECT_TOKEN, which other users cannot see)',
    ],
    ['--person NAME', 'who works on this machine (default: the user name)'],
    ['--once', 'send what is new, and end (default)'],
    ['--watch', 'keep sending what is new'],
    ['--dry-run', 'show what would be sent, and send nothing'],
    ['--plain-http', 'send to another machine without encryption'],
  ],
  examples: [
    'pinhole collect --to https://pinhole.example.com --dry-run',
    'pinhole collect --to https://pinhole.example.com --watch',
  ],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      to: { type: 'string', default: process.env.PINHOLE_COLLECT_TO ?? '' },
      token: { type: 'string' },
      person: { type: 'string', default: userInfo().username },
      once: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      'plain-http': { type: 'boolean', default: false },
    });
    noMoreWords(positionals);
    if (values.once && values.watch) fail('invalid_parameter', 'Give --once or --watch, not both.');
    // Without a server everything is new.
    const server = values['dry-run'] && values.to === '' ? '' : serverAt(values.to, values['plain-http']);
    const home = usableDataFolder();
    const lock = tryLock(join(home, 'collect.lock'));
    if (lock === undefined)
      fail('conflict', 'Another pinhole collect is using this data folder. Stop it first.');
    const positions = await openPositions(join(home, 'collect.db'), server);
    const ending = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
    const report = (line: string) => process.stderr.write(`${line}\n`);
    const sender = {
      machine: { id: positions.machine, name: hostname() },
      person: values.person,
      version: VERSION,
    };
    const folders = logFolders(PROVIDERS);
    const deps = { providers: PROVIDERS, folders, positions, sender, log: report };
    const options = {
      to: server,
      token: values.token ?? process.env.PINHOLE_COLLECT_TOKEN,
      patienceMs: values.watch ? undefined : PATIENCE_MS,
      signal: ending.signal,
      waiting: (reason: string, ms: number) =>
        report(`${reason}; trying again in ${(ms / 1000).toFixed(1)} s`),
    };
    try {
      if (values['dry-run']) return await dryRun(deps);
      const collector = createCollector({ ...deps, send: (message) => sendMessage(message, options) });
      if (values.watch) {
        await followLogs(collector, folders, ending.signal, report);
        return 0;
      }
      const sent = await collector.all();
      const nothing = sent.records === 0 && sent.failed === 0;
      process.stdout.write(nothing ? 'Nothing new.\n' : `Sent ${sentText(sent)}.\n`);
      return sent.failed === 0 ? 0 : 1;
    } catch (error) {
      if (ending.signal.aborted) return 0;
      throw error;
    } finally {
      await positions.close();
      lock.release();
    }
  },
};

/** The address of the server. A token and prompts must not cross a network unencrypted by mistake. */
function serverAt(given: string, plain: boolean): string {
  if (!URL.canParse(given))
    fail(
      'invalid_parameter',
      '--to must be the address of a team server, such as https://pinhole.example.com',
    );
  const url = new URL(given);
  if (url.protocol !== 'https:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, '')) && !plain)
    fail(
      'invalid_parameter',
      `${url.origin} is not encrypted. Use https, or --plain-http in a network that you trust.`,
    );
  return url.origin;
}

/** Everything that would be sent, without a server: positions are not kept. */
async function dryRun(deps: Omit<CollectorDeps, 'send'>): Promise<number> {
  const lines = new Map<
    string,
    { records: number; bytes: number; project: string | undefined; secrets: number }
  >();
  const send = async ({ log, to, records }: CollectMessage) => {
    const known = lines.get(log.path) ?? { records: 0, bytes: 0, project: log.project, secrets: 0 };
    const texts = records.map(({ text }) => text);
    lines.set(log.path, {
      project: log.project,
      records: known.records + records.length,
      bytes: known.bytes + texts.reduce((sum, text) => sum + text.length, 0),
      secrets:
        known.secrets + texts.reduce((sum, text) => sum + (text.match(/\[redacted:/g)?.length ?? 0), 0),
    });
    return { run: log.run, consumed: to, added: records.length };
  };
  const positions = { ...deps.positions, save: async () => {}, forget: async () => {} };
  const sent = await createCollector({ ...deps, positions, send }).all();
  const rows = [...lines].map(([path, { records, bytes, project, secrets }]) => [
    ...[countText(records), sizeText(bytes), countText(secrets), project ?? '-', path],
  ]);
  if (rows.length > 0)
    process.stdout.write(
      `${columns([['records', 'size', 'redacted', 'project', 'log'], ...rows], [0, 1, 2])}\n`,
    );
  process.stdout.write(sent.records === 0 ? 'Nothing new.\n' : `Nothing was sent. New: ${sentText(sent)}.\n`);
  return 0;
}

function sentText({ logs, records, failed }: Sent): string {
  const refused = failed === 0 ? '' : `, ${countOf(failed, 'log')} could not be sent`;
  return `${countOf(records, 'record')} of ${countOf(logs, 'log')}${refused}`;
}
