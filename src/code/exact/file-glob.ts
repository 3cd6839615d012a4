import { type GlobMatch, glob } from '../../glob/glob.ts';
import { plainGlobs } from '../../glob/parse-glob.ts';

/** A test for the `glob` filter of a search: it matches names anywhere, or paths from the root if it has a slash. */
export function fileGlob(pattern: string): GlobMatch {
  const tests = plainGlobs(pattern).map((plain) => {
    const named = plain.replace(/\/$/, '');
    // `src` names the file, or every file below a folder of that name.
    if (!named.includes('/')) return glob(named, { anyName: true });
    return glob(plain.replace(/^\//, '').replace(/\/$/, '/**'));
  });
  return (path) => tests.some((test) => test(path));
}
