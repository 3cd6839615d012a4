// Pairs from tests: what a test is called, and the code of the repository that it calls.
import { blockEnd } from './declarations.mjs';
import { words } from './words.mjs';

const SENTENCE =
  /^(?:it|test|specify|scenario|should|testcase|t\.run|Deno\.test|@test|@Test)\s*(?:\.\w+)*[\s(]+(["'`])((?:(?!\1).){8,140})\1/;
const NAME =
  /^(?:async |public |private |fileprivate |internal |override |static |pub |void |suspend |func \(\w+ [^)]*\) )*(?:def|func|fn|fun|void|Task|test)\s+[`"]?((?:test|Test|should|when|it_|does|can|returns)\w[\w ]{5,})/;
const CALL = /(?<![\w$])([A-Za-z_][\w$]{3,})\s*[({]/g;
const MAX_LINES = 45;
/** More definitions than this of one name say nothing about which one is meant. */
const MAX_DEFINITIONS = 2;
const MAX_CALLED = 2;

/** Adds what the tests of a file say to the definitions that they call; `pairs` must know those already. */
export function mineTests(pairs, path, text, language) {
  const lines = text.split('\n');
  if (lines.length > 6000) return;
  const subject = new Set(
    words(
      path
        .replace(/\.[^.]*$/, '')
        .split('/')
        .at(-1) ?? '',
    ),
  );
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at].trim();
    const asked = SENTENCE.exec(line)?.[2] ?? NAME.exec(line)?.[1]?.replace(/^(test|Test|it)_?/, '');
    if (asked === undefined || words(asked).length < 2) continue;
    const end = blockEnd(lines, at, MAX_LINES, undefined, language);
    for (const document of called(pairs, lines.slice(at + 1, end).join('\n'), new Set(words(asked)), subject))
      pairs.ask(document, 't', asked);
  }
}

/** The definitions that a test most likely tests: named like it or its file first, then the rarest. */
function called(pairs, body, asked, subject) {
  const found = new Map();
  for (const [, name] of body.matchAll(CALL)) {
    const definitions = pairs.defined(name);
    if (definitions.length === 0 || definitions.length > MAX_DEFINITIONS) continue;
    const own = words(name);
    const shared = own.filter((word) => asked.has(word)).length / Math.max(1, own.length);
    for (const document of definitions) {
      const home = document.path.split(' ').some((word) => subject.has(word)) ? 0.5 : 0;
      found.set(document, Math.max(found.get(document) ?? 0, shared + home + 0.1 / definitions.length));
    }
  }
  return [...found]
    .filter(([, worth]) => worth >= 0.5)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CALLED)
    .map(([document]) => document);
}
