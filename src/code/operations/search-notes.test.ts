import { expect, test } from 'vitest';
import { painter } from '../../contract/painted-text.ts';
import { emptyNote, lateNote } from './search-notes.ts';
import { semanticText } from './semantic-page.ts';

test('files that were not parsed in time are counted, with what their hits lack', () => {
  expect(lateNote({ late: 0 })).toBeUndefined();
  expect(lateNote({ late: 1 })).toBe(
    'There was no time to parse 1 file; hits there do not name the definition around them.',
  );
  expect(lateNote({ late: 3 }, new Set(['tests', 'comments']))).toBe(
    'There was no time to parse 3 files; hits there are included even if they are tests or comments.',
  );
});

test('what the matches lack is said before them', () => {
  const note = lateNote({ late: 1 });
  const match = { path: 'a.ts', line_start: 1, line_end: 9, language: 'typescript', score: 0.5 };
  expect(semanticText({ note, matches: [match] }, { paint: painter(undefined) })).toBe(
    `${note}\na.ts:1-9  0.50`,
  );
});

test('where everything was skipped, the way to search it is said', () => {
  const nothing = (skipped: { minified?: number; worktree?: number }) =>
    emptyNote(
      { inScope: () => 0, report: { skipped } },
      { globs: [], below: '', language: undefined },
      { skip: new Set() },
    );
  expect(nothing({ minified: 20 })).toBe(
    'No files to search. Files that were skipped are searched with everything=true.',
  );
  expect(nothing({ worktree: 1 })).toBe('No files to search.');
});
