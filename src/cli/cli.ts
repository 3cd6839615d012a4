import { errorText } from '../contract/errors.ts';
import { VERSION } from '../contract/version.ts';
import { BUILT_INS } from './built-ins.ts';

/** Runs one command line and returns the exit code: 0 success, 1 failure, 2 usage error. */
export async function runCli(given: readonly string[]): Promise<number> {
  const argv = withoutLocal(given);
  const [first = '--help', ...rest] = argv;
  if (first === '--version' || first === '-V' || first === 'version') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  quietBrokenPipe();
  const entry = BUILT_INS.find(({ name }) => name === first);
  try {
    if (entry !== undefined) {
      const builtIn = await entry.load();
      if (!rest.includes('--help') && !rest.includes('-h')) return await builtIn.run(rest);
      const { builtInHelp } = await import('./help.ts');
      process.stdout.write(builtInHelp(entry, builtIn));
      return 0;
    }
    const { runOperationCommand } = await import('./operation-command.ts');
    return await runOperationCommand(argv);
  } catch (error) {
    const { PinholeError } = await import('../contract/errors.ts');
    process.stderr.write(`pinhole: ${errorText(error)}\n`);
    return error instanceof PinholeError && error.code === 'invalid_parameter' ? 2 : 1;
  }
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
