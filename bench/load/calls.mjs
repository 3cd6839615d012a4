import { join } from 'node:path';
import { checkCd, checkHybrid, checkInspect, checkRegex, checkSessions } from './checks.mjs';
import { patterns } from './sources.mjs';

/**
 * The round that every client makes: a folder, a file, the root folder with up to 100 entries, a regex, a question and
 * the list of sessions, one sixth of the calls each. No pattern or question occurs twice.
 *
 * @returns a function that returns the next call of a kind
 */
export function callMaker(sources, sessions) {
  const folders = [...sources.folders.keys()];
  const files = [...sources.files.values()];
  const regexes = patterns(sources);
  const questions = sources.questions.values();
  const { tree } = sources;
  let count = 0;
  const cd = (path, limit) =>
    call('cd', '/api/cd', { path, ...(limit && { limit }) }, checkCd(sources.folders.get(path)));
  const fresh = (from, what) => {
    const { value, done } = from.next();
    if (done) throw new Error(`The sources have no more ${what}. Set BENCH_SECONDS to less.`);
    return value;
  };
  return {
    cd: () => cd(folders[count++ % folders.length]),
    inspect() {
      const { path, size } = files[count++ % files.length];
      return call('inspect', '/api/files/inspect', { path }, checkInspect(path, size));
    },
    'cd of 100': () => cd(join(tree, 'src'), 100),
    regex_search() {
      const [pattern, places] = fresh(regexes, 'names');
      return call(
        'regex_search',
        '/api/code/search?mode=regex',
        { pattern, path: tree },
        checkRegex(sources, places),
      );
    },
    hybrid_search() {
      const [query, file] = fresh(questions, 'comments');
      return call(
        'hybrid_search',
        '/api/code/search?mode=hybrid',
        { query, path: tree },
        checkHybrid(sources, file),
      );
    },
    list_sessions: () => call('list_sessions', '/api/agent-sessions', {}, checkSessions(sessions)),
  };
}

const call = (tool, route, input, check) => ({ tool, route, input, check });
