import { expect, test } from 'vitest';
import { readQuery } from './read-query.ts';
import { readReport } from './read-report.ts';

const ISSUE = `Merging media objects throws MediaOrderConflictWarning
### Bug report
<!-- Thanks for reporting! -->
The order of \`text_editor\` depends on the order of additions, see django/forms/widgets.py.
\`\`\`python
from django import forms
class ColorPicker(forms.Widget):
    pass
\`\`\`
Traceback (most recent call last):
  File "/srv/django/forms/forms.py", line 12, in media
  File "/srv/django/forms/widgets.py", line 145, in merge
MediaOrderConflictWarning: Detected duplicate Media files
### Versions
Python 3.7.1
* numpy: 1.17.2
`;

test('the lines of an issue are title, prose, code, frames and errors; templates and versions are left out', () => {
  expect(readReport(ISSUE)?.lines.map(({ part }) => part)).toEqual([
    'title',
    'prose',
    'code',
    'code',
    'code',
    'frame',
    'frame',
    'error',
  ]);
});

test('files and lines of a trace are in its order', () => {
  const frames = readReport(ISSUE)?.places.filter(({ isFrame }) => isFrame);
  expect(frames?.map(({ parts, line }) => `${parts.join('/')}:${line}`)).toEqual([
    'srv/django/forms/forms:12',
    'srv/django/forms/widgets:145',
  ]);
});

test.each([
  ['Node', '    at release (/srv/app/src/pool.ts:6:3)', 'srv/app/src/pool', 6],
  ['Go', '\t/home/a/go/src/pool/pool.go:41 +0x1d', 'home/a/go/src/pool/pool', 41],
  ['Rust', '  --> src/main.rs:3:5', 'src/main', 3],
  ['Java', '\tat com.example.Pool.acquire(Pool.java:17)', 'Pool', 17],
  ['pytest', 'src/_pytest/logging.py:18: AssertionError', 'src/_pytest/logging', 18],
])('a frame of %s is read', (_language, line, path, at) => {
  const [place] = readReport(`It fails\nlike this\n${line}`)?.places.filter(({ isFrame }) => isFrame) ?? [];
  expect([place?.parts.join('/'), place?.line]).toEqual([path, at]);
});

test('a question of one line is no report', () => {
  expect(readReport('where are retries of failed requests configured')).toBeUndefined();
  expect(readQuery('ConnectionPool').kind).toBe('symbol');
});

const PARAGRAPH =
  'If the environment names a pager without support for colours, or even this program itself, another one is quietly ' +
  'used in its place. Where is that decided, and why does it not happen for the setting of the program?';

test('a paragraph of prose is a question; with a file, an error or a call in it, it is a report', () => {
  expect(PARAGRAPH.length).toBeGreaterThan(200);
  expect(readQuery(PARAGRAPH).kind).toBe('sentence');
  expect(readReport(`${PARAGRAPH} It starts in src/pager.rs.`)).toBeDefined();
  expect(readReport(`TypeError: no pager; ${PARAGRAPH}`)).toBeDefined();
  expect(readReport(`${PARAGRAPH} ${PARAGRAPH} ${PARAGRAPH}`)).toBeDefined();
});

test('words of the title weigh more than those of code, and names in sentences are names', () => {
  const { kind, terms, report } = readQuery(ISSUE);
  const weight = (term: string): number => terms.find((one) => one.term === term)?.weight ?? 0;
  expect(kind).toBe('report');
  expect(weight('merg')).toBeGreaterThan(weight('addit'));
  expect(weight('addit')).toBeGreaterThan(weight('color'));
  expect(weight('numpi')).toBe(0);
  expect(report?.names).toEqual(new Set(['mediaorderconflictwarning', 'texteditor']));
  expect(report?.traceNames.has('merge')).toBe(true);
});

test('a report of any length is read in time that grows with its length', () => {
  const long = `Title of it\n${'a.b/c.d '.repeat(12_000)}\n${'x'.repeat(50_000)}`;
  expect(readReport(long)?.lines).toHaveLength(3);
});
