import { FAMILIES } from './families.ts';

/** A filter as the operations take it. */
export type Filter = Readonly<Record<string, unknown>>;

const SIZE = /^[<>]=?\d+(\.\d+)?([kmgt]i?b?|b)?$/i;
const AGE = /^(older|newer):(\d+[hdwmy])$/i;

/**
 * Parses the filter field, such as `*.log >100MB older:30d -node_modules`. A word with a colon names its test; any other
 * word is part of a name, or a glob if it has a wildcard. Undefined if there are no words.
 */
export function filterOf(text: string): Filter | undefined {
  const tests = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (word.startsWith('-') && word.length > 1 ? { not: testOf(word.slice(1)) } : testOf(word)));
  if (tests.length === 0) return undefined;
  return tests.length === 1 ? tests[0] : { all: tests };
}

function testOf(word: string): Filter {
  if (SIZE.test(word)) return { size: word };
  const [, side, age] = AGE.exec(word) ?? [];
  if (side !== undefined && age !== undefined)
    return { modified: `${side.toLowerCase() === 'older' ? '>' : '<'}${age}` };
  const [, name = '', value = ''] = /^(\w+):(.+)$/.exec(word) ?? [];
  if (name === 'ext') return { ext: value.split(',') };
  if (name === 'kind' || name === 'owner' || name === 'depth' || name === 'path') return { [name]: value };
  const family = name === 'is' ? FAMILIES.find(({ id }) => id === value) : undefined;
  if (family !== undefined) return { ext: family.extensions };
  if (name === 'is' && value === 'duplicate') return { duplicates: true };
  if (name === 'is' && value === 'touched') return { touched_by_agent: true };
  return { name: { glob: /[*?[]/.test(word) ? word : `*${word}*`, ignore_case: true } };
}

/** Adds a word, or removes it if it is already there. */
export function toggleWord(text: string, word: string): string {
  const words = text.split(/\s+/).filter((one) => one !== '');
  return (words.includes(word) ? words.filter((one) => one !== word) : [...words, word]).join(' ');
}

/**
 * A stored filter in words.
 *
 * @example filterText('{"all":[{"ext":"log"},{"modified":">30d"}]}') // 'ext log, modified >30d'
 */
export function filterText(json: string): string {
  return json
    .replace(/"(?:all|any)":/g, '')
    .replace(/"(\w+)":"?([^",{}[\]]+)"?/g, '$1 $2')
    .replace(/[{}[\]"]/g, '')
    .replace(/,(?=\S)/g, ', ');
}
