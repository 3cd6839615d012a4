import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './support.ts';

/** A new git repository in which the test can make commits. */
export async function temporaryRepository() {
  const root = await realpath(temporaryFolder());
  const git = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=Mia', '-c', 'user.email=mia@example.com', ...args], {
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', ...env },
    });
  git(['init', '-q', '-b', 'main']);
  // Otherwise the author would be the user who runs the tests.
  git(['config', 'user.name', 'Mia']);
  git(['config', 'user.email', 'mia@example.com']);
  return {
    root,
    git,
    write(path: string, content: string | Buffer) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    /** Commits everything with the given time and returns the hash. */
    commit(subject: string, at: string, author = 'Mia <mia@example.com>'): string {
      git(['add', '-A']);
      const env = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
      git(['commit', '-q', '--allow-empty', '--author', author, '-m', subject], env);
      return git(['rev-parse', 'HEAD']).trim();
    },
  };
}
