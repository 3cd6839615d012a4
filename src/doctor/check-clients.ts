import { existsSync } from 'node:fs';
import { type Client, SCOPES, type Scope } from '../setup/client.ts';
import { CLIENTS, isInstalled } from '../setup/clients.ts';
import { entryWords, isUnpinned, missingPart } from '../setup/launch.ts';
import type { Place } from '../setup/place.ts';
import { entryPaths } from '../setup/plan-changes.ts';
import { readSettings } from '../setup/read-settings.ts';
import { entryIn, UnusableSettings } from '../setup/settings-format.ts';
import type { Finding } from './doctor-finding.ts';

/** An entry for Pinhole in the settings of a client. */
export interface ConfiguredServer {
  readonly client: Client;
  readonly scope: Scope;
  readonly file: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** Checks which clients are set up for Pinhole, and whether the program they would start exists. */
export function checkClients(place: Place): readonly Finding[] {
  const installed = CLIENTS.filter((client) => isInstalled(client, place));
  const findings = CLIENTS.flatMap((client) => {
    const found = checkClient(client, place);
    return found.length > 0 || !installed.includes(client) ? found : [notSetUp(client)];
  });
  if (findings.length > 0) return findings;
  return [
    {
      check: 'clients',
      state: 'warn',
      text: 'no clients were found for this user',
      fix: 'pinhole setup --client NAME',
    },
  ];
}

/** Every entry for Pinhole that can be read. */
export function configuredServers(place: Place): readonly ConfiguredServer[] {
  return CLIENTS.flatMap((client) =>
    filesOf(client, place).flatMap(({ file, scope }) => {
      try {
        return entriesIn(client, file, place).map((entry) => ({ client, scope, file, entry }));
      } catch (error) {
        if (error instanceof UnusableSettings) return [];
        throw error;
      }
    }),
  );
}

/** Settings files of a client that exist, for all projects and for the current folder. */
function filesOf(client: Client, place: Place): readonly { readonly file: string; readonly scope: Scope }[] {
  return SCOPES.flatMap((scope) =>
    client
      .files(place, scope)
      .flat()
      .filter((file) => existsSync(file))
      .map((file) => ({ file, scope })),
  );
}

function checkClient(client: Client, place: Place): readonly Finding[] {
  return filesOf(client, place).flatMap(({ file, scope }): readonly Finding[] => {
    try {
      return entriesIn(client, file, place).map((entry) => checkEntry({ client, scope, file, entry }, place));
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
  });
}

/** The entries in a file that count here: those for one folder only if it is this one. */
function entriesIn(
  client: Client,
  file: string,
  { cwd }: Place,
): readonly Readonly<Record<string, unknown>>[] {
  const settings = client.format.parse((readSettings(file) ?? '').replace(/^\ufeff/, ''));
  return entryPaths(client, settings)
    .filter((path) => path.length === 2 || path.includes(cwd))
    .map((path) => entryIn(settings, path) ?? {});
}

function checkEntry({ client, scope, file, entry }: ConfiguredServer, place: Place): Finding {
  const words = entryWords(entry);
  const missing = missingPart(words, place);
  const fix = `pinhole setup --client ${client.name}${scope === 'project' ? ' --scope project' : ''}`;
  const where = `${client.title} (${file})`;
  if (missing !== undefined)
    return {
      check: 'clients',
      state: 'fail',
      text: `${client.title} would start ${missing}, which does not exist (${file})`,
      fix,
    };
  if (isUnpinned(words))
    return {
      check: 'clients',
      state: 'warn',
      text: `${where} starts whatever version of a package npx finds`,
      fix,
    };
  return { check: 'clients', state: 'ok', text: where };
}

function notSetUp(client: Client): Finding {
  return {
    check: 'clients',
    state: 'warn',
    text: `Pinhole is not set up in ${client.title}`,
    fix: `pinhole setup --client ${client.name}`,
  };
}
