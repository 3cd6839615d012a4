import { dataFolder } from '../app/home.ts';
import { closeConnections } from '../daemon/http-client.ts';
import { checkClients } from '../doctor/clients.ts';
import { type Finding, isHealthy } from '../doctor/finding.ts';
import { checkIndexes } from '../doctor/indexes.ts';
import { checkLogs } from '../doctor/logs.ts';
import { checkDataFolder, checkNode } from '../doctor/machine.ts';
import { checkProcess } from '../doctor/process.ts';
import { thisPlace } from '../setup/place.ts';
import type { BuiltIn } from './built-in.ts';
import { cliCaller, cliEngine } from './engine.ts';
import { readFlags } from './flags.ts';
import { dim, green, red, yellow } from './style.ts';

export const doctor: BuiltIn = {
  usage: 'pinhole doctor [--json]',
  flags: [['--json', 'as JSON']],
  examples: ['pinhole doctor', 'pinhole doctor --json'],
  async run(args) {
    const { values } = readFlags(args, { json: { type: 'boolean', default: false } });
    const findings: Finding[] = [];
    for await (const part of examine()) {
      findings.push(...part);
      if (!values.json) for (const finding of part) process.stdout.write(line(finding));
    }
    closeConnections();
    const healthy = isHealthy(findings);
    if (values.json) process.stdout.write(`${JSON.stringify({ healthy, findings })}\n`);
    else process.stdout.write(`\n${summary(findings)}\n`);
    return healthy ? 0 : 1;
  },
};

/** One part after the other, so that a person sees each as it is done. */
async function* examine(): AsyncGenerator<readonly Finding[]> {
  const home = dataFolder();
  yield [checkNode()];
  const data = checkDataFolder(home);
  yield data;
  if (isHealthy(data)) {
    const owner = await checkProcess(home);
    yield [owner];
    if (owner.state !== 'fail') yield await checkIndexes(cliEngine(), cliCaller('json'), Date.now());
  }
  yield checkClients(thisPlace());
  yield checkLogs(process.env, Date.now());
}

const MARKS = { ok: green('ok  '), warn: yellow('warn'), fail: red('FAIL') } as const;

function line({ check, state, text, fix }: Finding): string {
  return `${MARKS[state]}  ${check.padEnd(9)}  ${text}${fix === undefined ? '' : `\n${' '.repeat(17)}${dim('fix:')} ${fix}`}\n`;
}

function summary(findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  if (count('fail') > 0) return `${count('fail')} to fix before Pinhole works.`;
  return count('warn') > 0 ? `Pinhole works; ${count('warn')} to look at.` : 'All is well.';
}
