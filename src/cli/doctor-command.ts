import { dataFolder } from '../app/home.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { closeConnections } from '../connect/call-background.ts';
import { countOf } from '../contract/format.ts';
import { checkClients, configuredServers } from '../doctor/check-clients.ts';
import { checkIndexes } from '../doctor/check-indexes.ts';
import { checkLogs } from '../doctor/check-logs.ts';
import { checkDataFolder, checkNode } from '../doctor/check-machine.ts';
import { checkProcess } from '../doctor/check-process.ts';
import { checkServers } from '../doctor/check-servers.ts';
import { type Finding, isHealthy } from '../doctor/doctor-finding.ts';
import { thisPlace } from '../setup/place.ts';
import { cliCaller, cliEngine } from './cli-engine.ts';
import { dim, green, red, yellow } from './colours.ts';

export const doctor: BuiltIn = {
  usage: 'pinhole doctor [flags]',
  flags: [
    ['--deep', 'also start the server that each client is set up with, and list its tools'],
    ['--json', 'the answer as JSON'],
  ],
  examples: ['pinhole doctor', 'pinhole doctor --deep', 'pinhole doctor --json'],
  async run(args) {
    const { values, positionals } = readFlags(args, {
      deep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    });
    noMoreWords(positionals);
    const findings: Finding[] = [];
    for await (const part of examine(values.deep)) {
      findings.push(...part);
      if (!values.json) for (const finding of part) process.stdout.write(line(finding));
    }
    closeConnections();
    const healthy = isHealthy(findings);
    if (values.json) process.stdout.write(`${JSON.stringify({ data: { healthy, findings } })}\n`);
    else process.stdout.write(`\n${summary(findings)}\n`);
    return healthy ? 0 : 1;
  },
};

/** Yields the findings part by part, so that a person sees each part as soon as it is done. */
async function* examine(deep: boolean): AsyncGenerator<readonly Finding[]> {
  const home = dataFolder();
  yield [checkNode()];
  const data = checkDataFolder(home);
  yield data;
  if (isHealthy(data)) {
    const background = await checkProcess(home);
    yield [background];
    if (background.state !== 'fail')
      yield await checkIndexes(cliEngine(), cliCaller('json'), { now: Date.now(), env: process.env });
  }
  const place = thisPlace();
  yield checkClients(place);
  if (deep) for await (const finding of checkServers(configuredServers(place), place)) yield [finding];
  yield await checkLogs(process.env, Date.now());
}

const MARKS = { ok: green('ok  '), warn: yellow('warn'), fail: red('FAIL') } as const;

function line({ check, state, text, fix }: Finding): string {
  return `${MARKS[state]}  ${check.padEnd(9)}  ${text}${fix === undefined ? '' : `\n${' '.repeat(17)}${dim('fix:')} ${fix}`}\n`;
}

function summary(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  if (count('fail') > 0) return `${countOf(count('fail'), 'problem')} to fix before Pinhole works.`;
  return count('warn') > 0 ? `Pinhole works, with ${countOf(count('warn'), 'warning')}.` : 'All is well.';
}
