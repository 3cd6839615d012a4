import { existsSync } from 'node:fs';
import { closeConnections } from '../connect/call-background.ts';
import { callWords } from '../contract/call-words.ts';
import type { Answer, Engine } from '../contract/engine.ts';
import { messageText, PinholeError } from '../contract/errors.ts';
import { isObject } from '../contract/guards.ts';
import type { RawInput } from '../contract/input.ts';
import { nearestName } from '../contract/nearest-name.ts';
import { ALIASES } from './aliases.ts';
import { cliCaller, cliEngine } from './cli-engine.ts';
import type { CommandFacts } from './command-facts.ts';
import { commandWords, wordsOf } from './command-specs.ts';
import { COMMANDS } from './commands.data.ts';
import { commandHelp, commandsBelow, groupHelp, mainHelp } from './help.ts';
import { UNLIMITED_BYTES } from './max-bytes.ts';
import { readOperationWords } from './read-words.ts';
import { typedInput } from './typed-input.ts';

/** Runs a command that is one operation: `pinhole disk cd /var --json`. */
export async function runOperationCommand(argv: readonly string[]): Promise<number> {
  const wantsHelp = argv.includes('--help') || argv.includes('-h');
  const found = findCommand(argv);
  if (found === undefined) {
    process.stdout.write(helpFor(argv, wantsHelp));
    return 0;
  }
  const { operation, rest } = found;
  if (wantsHelp) {
    process.stdout.write(commandHelp(operation));
    return 0;
  }
  refuseMistypedWord(operation, rest);
  const { json, wait, all, budget, input } = readOperationWords(operation, rest);
  const engine = cliEngine();
  const caller = { ...cliCaller(json ? 'json' : 'text', budget), ...(all && { whole: true }) };
  const first = await withIndex(engine, input, () => engine.run(operation.name, input, { caller }));
  const job = wait && first.ok ? jobOf(first) : undefined;
  let failed = !first.ok;
  let answer = first;
  if (job !== undefined) {
    const { followJob } = await import('./follow-job.ts');
    const card = await followJob(engine, job, operation.name === 'index' ? 'indexing' : 'working');
    answer = await engine.run('job_progress', { job_id: job }, { caller });
    failed = card.status !== 'done';
  }
  await write(answer, operation, json, rest);
  // Without a background process, an index that this command started must be finished here.
  await engine.close(!operation.readOnly);
  closeConnections();
  return !failed ? 0 : !answer.ok && answer.error.code === 'invalid_parameter' ? 2 : 1;
}

/** Runs a command; if it needs an index that does not exist yet, scans the folder first. */
async function withIndex(engine: Engine, input: RawInput, run: () => Promise<Answer>): Promise<Answer> {
  const first = await run();
  if (first.ok || first.error.code !== 'index_not_found' || input.index_id !== undefined) return first;
  const { indexFirst } = await import('./index-first.ts');
  return (await indexFirst(engine, input)) ? run() : first;
}

async function write(
  answer: Answer,
  operation: CommandFacts,
  json: boolean,
  typed: readonly string[],
): Promise<void> {
  if (json || answer.ok) process.stdout.write(`${answer.rendered.text}\n`);
  else process.stderr.write(`pinhole: ${await errorAtTerminal(answer, operation, typed)}\n`);
}

/** An error with the inputs that it names as they are typed. */
async function errorAtTerminal(
  { error, parts, rendered }: Answer & { readonly ok: false },
  operation: CommandFacts,
  typed: readonly string[],
): Promise<string> {
  if (parts === undefined) return rendered.text;
  const { renderError } = await import('../contract/render.ts');
  const message = messageText(parts, typedInput(operation, typed));
  const words = callWords('cli', (name) => COMMANDS.find((each) => each.name === name));
  const rendering = { door: 'cli', format: 'text', words, declared: () => undefined } as const;
  return renderError({ error: { ...error, message } }, rendering, UNLIMITED_BYTES).text;
}

function jobOf(answer: Answer): string | undefined {
  const data = answer.ok ? answer.envelope.data : undefined;
  return isObject(data) && 'job_id' in data && typeof data.job_id === 'string' ? data.job_id : undefined;
}

/** The operation whose command words match the beginning of the command line; of several, the longest. */
function findCommand(
  argv: readonly string[],
): { operation: CommandFacts; rest: readonly string[] } | undefined {
  const candidates = COMMANDS.flatMap((operation) => {
    const words = wordsOf(operation).split(' ');
    return words.every((word, i) => argv[i] === word)
      ? [{ operation, rest: argv.slice(words.length), length: words.length }]
      : [];
  });
  return candidates.sort((a, b) => b.length - a.length)[0];
}

/** The help for words that are not a command; an error if they do not begin one either. */
function helpFor(argv: readonly string[], wantsHelp: boolean): string {
  const [group = '', member] = argv.filter((word) => !word.startsWith('-'));
  if (group === '' && argv.every((word) => word === '--help' || word === '-h')) return mainHelp();
  const help = groupHelp(group);
  if (help === undefined)
    return unknown(
      argv[0] ?? '',
      firstWords(),
      `${searchAdvice(argv)}List all commands with: pinhole --help`,
    );
  if (member === undefined || wantsHelp) return help;
  const below = commandsBelow(group).map(wordsOf);
  return unknown(`${group} ${member}`, below, `List its commands with: pinhole ${group} --help`);
}

/** `pinhole Router` and `pinhole where is the router` were probably meant as searches. */
function searchAdvice(argv: readonly string[]): string {
  const [word = '', ...more] = argv;
  if (!argv.every((one) => /^\w[\w.:-]*$/.test(one)) || nearestName(firstWords(), word) !== undefined)
    return '';
  return `Search the code here with: pinhole ${more.length === 0 ? `grep ${word}` : `"${argv.join(' ')}"`}. `;
}

function firstWords(): readonly string[] {
  const typed = [...commandWords(), ...ALIASES.map((alias) => alias.typed)];
  return [...new Set(typed.map((words) => words.split(' ')[0] ?? ''))];
}

function unknown(given: string, known: readonly string[], advice: string): never {
  const near = nearestName(known, given);
  const guess = near === undefined ? '' : ` Did you mean: pinhole ${near}?`;
  throw new PinholeError('invalid_parameter', `Unknown command '${given}'.${guess} ${advice}`);
}

/** `disk larget` is a mistyped `disk largest` rather than a folder, unless there is such a folder. */
function refuseMistypedWord(operation: CommandFacts, [word = '']: readonly string[]): void {
  const words = wordsOf(operation);
  const below = commandsBelow(words).map(wordsOf);
  if (below.length === 0 || !/^[a-z][a-z-]+$/.test(word) || existsSync(word)) return;
  const near = nearestName(below, `${words} ${word}`);
  const last = near?.slice(words.length + 1) ?? '';
  if (nearestName([last], word) !== undefined)
    unknown(`${words} ${word}`, [near ?? ''], `List its commands with: pinhole ${words} --help`);
}
