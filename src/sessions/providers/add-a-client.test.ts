import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { scribe } from '../../../test/fixtures/sessions/scribe/index.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { PROVIDERS } from './index.ts';
import { newFields } from './record-fields.ts';

/** The examples of the page, in their order. */
const PAGE = readFileSync(resolve('docs/guide/add-a-client.md'), 'utf8');
const [log = '', expected = ''] = blocks('json');
const [reader = ''] = blocks('ts');

function blocks(kind: string): readonly string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);
}

test('the reader on the page is the one that is tested here', () => {
  const tested = readFileSync(resolve('test/fixtures/sessions/scribe/index.ts'), 'utf8');
  expect(reader).toBe(
    tested
      .replaceAll("'../../../../src/sessions/providers/", "'../")
      .replaceAll("'../../../../src/sessions/", "'../../"),
  );
});

test('it reads the log on the page as the page says', async () => {
  const home = temporaryFolder();
  writeLog(join(home, '.scribe/5c81be00-1111-4111-8111-111111111111.jsonl'), log);
  const desk = await openDesk({ home, folders: undefined, providers: [...PROVIDERS, scribe] });
  onTestFinished(() => desk.close(true));
  expect(await desk.sessions.reading.health()).toMatchObject({ unknown: [], badLines: 0, sessions: 1 });
  const [session] = await desk.sessions.list.page({}, undefined, 2);
  expect(session).toMatchObject({ provider: 'scribe', turns: 2, failures: 1, version: '1.0' });
  const { steps } = (await desk.ask('get_turn_steps', { session_id: session?.id, turn_index: 0 })).data;
  expect(steps).toMatchObject([
    {
      message: 'I will change add().',
      reasoning: 'The sum of two texts is wrong.',
      tools: [{ status: 'ok' }],
    },
    { message: 'Now a command that fails.', tools: [{ status: 'failed' }] },
    { message: 'Done: add() makes numbers first.' },
  ]);
  const { touches } = (await desk.ask('file_history', { path: '/srv/project/src/add.js' })).data;
  expect(touches).toMatchObject([{ action: 'edit', added: 1, removed: 1 }]);
  const [{ usage } = {}] = await desk.sessions.usage.by('agent', 'UTC', {});
  const { shown } = JSON.parse(expected);
  expect({ ...usage, from: shown.from }).toMatchObject(shown);
  expect(newFields(scribe.fields, 'asked', { asked: 'x', brandNew: 1 })).toEqual(['asked.brandNew']);
  expect(scribe.read({ type: 'brand_new' })).toMatchObject({ known: false, label: 'brand_new' });
});
