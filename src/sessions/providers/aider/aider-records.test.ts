import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/support.ts';
import { proposedEdits } from './aider-edits.ts';
import { historyFiles } from './aider-files.ts';
import { chatRecords } from './aider-records.ts';
import { aiderChats } from './aider-store.ts';

const session = { type: 'session', id: 's' } as const;

function records(written: string, ended = true) {
  const source = Buffer.from(`# aider chat started at 2026-03-01 10:00:00\n\n${written}`);
  return chatRecords(source, { session, ended, typed: [] }).slice(1);
}

describe('records', () => {
  test('the prompt is what follows a command, not the command', () => {
    expect(records('#### /ask Why?  \n\n#### Why?  \n\n#### <blank>  \n')).toMatchObject([
      { type: 'user', text: '/ask Why?', command: true },
      { type: 'user', text: 'Why?', command: false },
      { type: 'user', text: '<blank>', command: true },
    ]);
  });

  test('the plan of an architect is not a prompt when the editor gets it', () => {
    const written =
      '#### Plan it  \n\nFirst this.\n\nThen that.\n\n\n#### First this.  \n####   \n#### Then that.  \n';
    expect(records(written)).toMatchObject([
      { type: 'user', text: 'Plan it' },
      { type: 'assistant', blocks: [{ text: 'First this.\n\nThen that.' }] },
      { type: 'note', text: 'First this.\n\nThen that.' },
    ]);
  });

  test('tokens of releases before 0.46, with the line endings of Windows', () => {
    expect(records('> 19543 prompt tokens, 112 completion tokens, $0.099395 cost  \r\n')).toMatchObject([
      { type: 'tokens', usage: { input: 19_543, output: 112 } },
    ]);
  });

  test('a command has no outcome, since none is written', () => {
    expect(records('> Running npm test  \n')).toMatchObject([
      { type: 'assistant', blocks: [{ type: 'call', name: 'run', args: { command: 'npm test' } }] },
      { type: 'results', results: [{ output: '', failed: undefined }] },
    ]);
  });

  test('what may still grow is held back until something follows', () => {
    const begun = '#### Go  \n\nSome words';
    expect(records(`${begun}\n`, false)).toMatchObject([{ text: 'Go' }]);
    expect(records(`${begun} more\n\n> Tokens: 1.2k sent, 3 received.  \n`, false)).toMatchObject([
      { text: 'Go' },
      { blocks: [{ text: 'Some words more' }] },
      { type: 'tokens', response: 's:1', usage: { input: 1_200, output: 3 } },
    ]);
  });

  test('somebody stopped the answer', () => {
    expect(records('#### Go  \n\nSo\n\n> ^C KeyboardInterrupt  \n').at(-1)).toMatchObject({
      type: 'interrupt',
    });
  });
});

test('edits: several blocks of a file, the name inside the fence, a whole file', () => {
  const block = (before: string, after: string) =>
    `<<<<<<< SEARCH\n${before}\n=======\n${after}\n>>>>>>> REPLACE`;
  const answer = [
    ...[
      '**a/one.py**',
      '```python',
      block('1', '2'),
      '```',
      'and',
      '```',
      'a/one.py',
      block('3', '4'),
      '```',
    ],
    ...['`b.txt`', '```', 'all', 'of it', '```'],
  ].join('\n');
  expect(proposedEdits(answer)).toEqual([
    {
      path: 'a/one.py',
      name: 'edit',
      args: {
        file_path: 'a/one.py',
        edits: [
          { old_string: '1', new_string: '2' },
          { old_string: '3', new_string: '4' },
        ],
      },
    },
    { path: 'b.txt', name: 'write', args: { file_path: 'b.txt', content: 'all\nof it' } },
  ]);
});

test('several chats in one file: those without a prompt are left out, equal ones get different ids, and a new one ends the one before', () => {
  const file = join(temporaryFolder(), '.aider.chat.history.md');
  const chat = (prompt: string) => `\n# aider chat started at 2026-03-01 10:00:00\n\n${prompt}`;
  writeFileSync(file, `${chat('')}${chat('#### Grüße  \n\nHello')}`);
  const first = aiderChats.sessions(file);
  expect(first.map(({ id }) => id)).toEqual([expect.stringMatching(/-20260301-100000-2$/)]);
  const id = first[0]?.id ?? '';
  expect([...aiderChats.records(file, id, 0)]).toHaveLength(2);
  appendFileSync(file, `\n${chat('#### More  \n')}`);
  const then = aiderChats.sessions(file);
  expect(then).toHaveLength(2);
  expect(then[0]).not.toEqual(first[0]);
  expect([...aiderChats.records(file, id, 2)]).toMatchObject([{ blocks: [{ text: 'Hello' }] }]);
  expect([...aiderChats.records(file, then[1]?.id ?? '', 1)]).toMatchObject([{ type: 'user', text: 'More' }]);
});

test('histories are found in projects below the home folder, if Aider was ever started', () => {
  const home = temporaryFolder();
  const write = (path: string) => {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), '');
  };
  for (const project of ['code/app', 'code/app/.git/sub', 'code/team/deep', 'node_modules/x'])
    write(`${project}/.aider.chat.history.md`);
  write('code/app/inner/.aider.chat.history.md');
  expect(historyFiles({}, home)).toEqual([]);
  mkdirSync(join(home, '.aider'));
  expect(historyFiles({}, home).map((path) => path.slice(home.length + 1))).toEqual([
    'code/app/.aider.chat.history.md',
    'code/team/deep/.aider.chat.history.md',
  ]);
});
