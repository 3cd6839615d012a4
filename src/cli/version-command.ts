import { VERSION } from '../contract/version.ts';

const VERSION_WORDS: ReadonlySet<string> = new Set(['--version', '-V', '-v', 'version']);

/** Answers a command line that asks for the version; false if it asks for something else. */
export function toldVersion(argv: readonly string[]): boolean {
  const [first = ''] = argv.filter((word) => word !== '--local');
  if (!VERSION_WORDS.has(first)) return false;
  process.stdout.write(`${VERSION}\n`);
  return true;
}
