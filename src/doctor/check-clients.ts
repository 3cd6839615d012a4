import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { CLIENTS, type Client, isInstalled, SCOPES } from '../setup/clients.ts';
import { onPath, type Place } from '../setup/place.ts';
import { entryIn, SERVER_NAME } from '../setup/plan-changes.ts';
import { UnusableSettings } from '../setup/settings-format.ts';
import type { Finding } from './doctor-finding.ts';

/** Checks which clients are set up for Pinhole, and whether the program they would start exists. */
export function checkClients(place: Place): readonly Finding[] {
  const installed = CLIENTS.filter((client) => isInstalled(client, place));
  if (installed.length > 0) return installed.flatMap((client) => checkClient(client, place));
  return [
    {
      check: 'clients',
      state: 'warn',
      text: 'no clients were found for this user',
      fix: 'pinhole setup --client NAME',
    },
  ];
}

function checkClient(client: Client, place: Place): readonly Finding[] {
  const findings = SCOPES.flatMap((scope) =>
    client
      .files(place, scope)
      .flatMap((names) => names.filter((name) => existsSync(name)))
      .flatMap((file) => checkFile(client, file, place)),
  );
  if (findings.length > 0) return findings;
  return [
    {
      check: 'clients',
      state: 'warn',
      text: `Pinhole is not set up in ${client.title}`,
      fix: `pinhole setup --client ${client.name}`,
    },
  ];
}

function checkFile(client: Client, file: string, place: Place): readonly Finding[] {
  try {
    const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
    const entry = entryIn(client.format.parse(text), [client.container, SERVER_NAME]);
    if (entry === undefined) return [];
    const missing = missingPart([entry.command, entry.args].flat(), place);
    return [
      missing === undefined
        ? { check: 'clients', state: 'ok', text: `${client.title} (${file})` }
        : {
            check: 'clients',
            state: 'fail',
            text: `${client.title} would start ${missing}, which does not exist (${file})`,
            fix: `pinhole setup --client ${client.name}`,
          },
    ];
  } catch (error) {
    if (!(error instanceof UnusableSettings)) throw error;
    return [
      {
        check: 'clients',
        state: 'fail',
        text: `${client.title}: ${file}: ${error.message}`,
        fix: `correct the syntax of ${file}`,
      },
    ];
  }
}

/** The program, or the script it should run, if that no longer exists. */
function missingPart(words: readonly unknown[], place: Place): string | undefined {
  const [program, script] = words.filter((word) => typeof word === 'string');
  if (
    program !== undefined &&
    (isAbsolute(program) ? !existsSync(program) : onPath(program, place) === undefined)
  )
    return program;
  return script !== undefined && isAbsolute(script) && !existsSync(script) ? script : undefined;
}
