import { exitSoon } from '../connect/end-process.ts';
import { errorText, PinholeError } from '../contract/errors.ts';
import { withoutAliases } from './aliases.ts';
import { BUILT_INS } from './built-ins.ts';
import { builtInHelp } from './help.ts';
import { runOperationCommand } from './operation-command.ts';

/** Runs the command line of this process, which then ends. */
export async function runToEnd(typed: readonly string[]): Promise<void> {
  exitSoon(await runCli(typed));
}

/** Runs one command line and returns the exit code: 0 success, 1 failure, 2 usage error. */
export async function runCli(typed: readonly string[]): Promise<number> {
  const argv = withoutAliases(withoutLocal(typed));
  const [first = '--help', ...rest] = argv;
  quietBrokenPipe();
  const entry = BUILT_INS.find(({ name }) => name === first);
  try {
    if (entry !== undefined) {
      const builtIn = await entry.load();
      if (entry.hidden || !asksHelp(rest)) return await builtIn.run(rest);
      process.stdout.write(builtInHelp(entry, builtIn));
      return 0;
    }
    return await runOperationCommand(argv);
  } catch (error) {
    return told(error, argv.includes('--json'));
  }
}

/** What follows `--` is not a flag. */
function asksHelp(args: readonly string[]): boolean {
  const flags = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  return flags.includes('--help') || flags.includes('-h');
}

/** Writes an error where its reader looks for it, and returns the exit code. */
function told(error: unknown, asJson: boolean): number {
  const known = error instanceof PinholeError ? error : new PinholeError('internal_error', errorText(error));
  if (asJson) process.stdout.write(`${JSON.stringify(known.toBody())}\n`);
  else process.stderr.write(`pinhole: ${errorText(error)}\n`);
  return known.code === 'invalid_parameter' ? 2 : 1;
}

/** Every command takes `--local`, before or after its own flags; `mcp` reads it itself. */
function withoutLocal(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  const isLocal = (word: string, i: number) => word === '--local' && (end < 0 || i < end);
  if (argv[0] === 'mcp' || !argv.some(isLocal)) return argv;
  process.env.PINHOLE_LOCAL = '1';
  return argv.filter((word, i) => !isLocal(word, i));
}

/** In `pinhole … | head` the reader ends first; that is not an error. */
function quietBrokenPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
