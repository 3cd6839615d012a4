import { OPERATIONS } from '../app/operations.ts';
import type { Services } from '../app/services.ts';
import { readFlags } from '../command/flags.ts';
import { closeConnections } from '../connect/call-background.ts';
import { argumentsFromText } from '../contract/arguments.ts';
import { PinholeError } from '../contract/errors.ts';
import { inputJsonSchema, knownName, otherNames } from '../contract/input.ts';
import type { Operation } from '../contract/operation.ts';
import { cliCaller, cliEngine } from './cli-engine.ts';
import { commandHelp, groupHelp, mainHelp } from './help.ts';
import { indexFirst } from './index-first.ts';

type AnyOperation = Operation<Services>;

/** Runs a command that is one operation: `pinhole disk cd /var --json`. */
export async function runOperationCommand(argv: readonly string[]): Promise<number> {
  const wantsHelp = argv.includes('--help') || argv.includes('-h');
  const found = findCommand(argv);
  if (found === undefined) {
    const [group = '', member] = argv.filter((word) => !word.startsWith('-'));
    const help = groupHelp(group);
    if (help === undefined && argv.length > 0 && !['--help', '-h', 'help'].includes(argv[0] ?? '')) {
      throw new PinholeError(
        'invalid_parameter',
        `Unknown command '${argv[0]}'. List all commands with: pinhole --help`,
      );
    }
    if (help !== undefined && member !== undefined && !wantsHelp) {
      throw new PinholeError(
        'invalid_parameter',
        `Unknown command '${group} ${member}'. List its commands with: pinhole ${group} --help`,
      );
    }
    process.stdout.write(help ?? mainHelp());
    return 0;
  }
  const { operation, rest } = found;
  if (wantsHelp) {
    process.stdout.write(commandHelp(operation));
    return 0;
  }
  const { json, words } = readWords(operation, rest);
  const engine = cliEngine();
  const input = argumentsFromText(operation, words);
  const caller = cliCaller(json ? 'json' : 'text');
  const answer = await indexFirst(engine, input, () => engine.run(operation.name, input, { caller }));
  const { text } = answer.rendered;
  if (json || answer.ok) process.stdout.write(`${text}\n`);
  else process.stderr.write(`pinhole: ${text}\n`);
  // Without a background process, an index that this command started must be finished here.
  await engine.close(!operation.readOnly);
  closeConnections();
  return answer.ok ? 0 : answer.error.code === 'invalid_parameter' ? 2 : 1;
}

/** The operation whose command words match the beginning of the command line; of several, the longest. */
function findCommand(
  argv: readonly string[],
): { operation: AnyOperation; rest: readonly string[] } | undefined {
  const candidates = OPERATIONS.flatMap((operation) => {
    const words = operation.command?.words.split(' ') ?? [operation.name.replaceAll('_', '-')];
    return words.every((word, i) => argv[i] === word)
      ? [{ operation, rest: argv.slice(words.length), length: words.length }]
      : [];
  });
  return candidates.sort((a, b) => b.length - a.length)[0];
}

function readWords(operation: AnyOperation, args: readonly string[]) {
  const properties = (inputJsonSchema(operation).properties ?? {}) as Record<string, { type?: string }>;
  const options = Object.fromEntries(
    [...Object.keys(properties), ...otherNames(operation)].map((name) => {
      const { type } = properties[knownName(operation, name) ?? name] ?? {};
      return [
        name.replaceAll('_', '-'),
        {
          type: type === 'boolean' ? ('boolean' as const) : ('string' as const),
          multiple: type === 'array',
        },
      ];
    }),
  );
  const { values, positionals } = readFlags(args, { ...options, json: { type: 'boolean', default: false } });
  const words: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(values)) {
    if (name === 'json' || value === undefined) continue;
    const given = name.replaceAll('-', '_');
    words[knownName(operation, given) ?? given] = Array.isArray(value) ? value.map(String) : String(value);
  }
  const places = operation.command?.positional ?? [];
  positionals.forEach((word, i) => {
    const place = places[Math.min(i, places.length - 1)];
    if (place === undefined || (i >= places.length && !Array.isArray(words[place]))) {
      throw new PinholeError('invalid_parameter', `Unexpected argument '${word}'. See --help.`);
    }
    words[place] = word;
  });
  return { json: values.json === true, words };
}
