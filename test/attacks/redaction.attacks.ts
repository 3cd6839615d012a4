import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { redact } from '../../src/contract/redact.ts';
import { processHome } from '../processes.ts';
import { counted, tries } from '../reliability/counted.ts';
import { temporaryFolder } from '../support.ts';
import { changedLines } from './changed-lines.ts';
import { doorsOf, plant } from './secret-doors.ts';
import { EVERYDAY_PASSWORDS, leaksIn, PASSWORD_FORMS, SECRET_KINDS, seededText } from './secret-kinds.ts';

const PER_KIND = tries('PINHOLE_SECRETS', 2);
const kinds = Object.keys(SECRET_KINDS);
const place = processHome();
const root = realpathSync(temporaryFolder());

test('secrets of 94 kinds through every door', { timeout: 3_600_000 }, async ({ task }) => {
  const random = seededText(PER_KIND);
  const secrets = Object.values(SECRET_KINDS).flatMap((make) =>
    Array.from({ length: PER_KIND }, () => make(random)),
  );
  plant(place.home, root, secrets);
  const doors = await doorsOf(place, root, secrets.length);
  const answers: [string, string][] = [];
  for (const [name, collect] of Object.entries(doors)) answers.push([name, await collect()]);
  for (const [name, shown] of answers) expect(shown.length, name).toBeGreaterThan(100);
  const out = new Map(
    answers.map(([name, shown]) => [
      name,
      secrets.flatMap((secret, n) => (leaksIn(secret, shown) ? [n] : [])),
    ]),
  );
  const all = secrets.length * out.size;
  const leaks = [...out.values()].flat();
  counted(task, all, all - leaks.length);
  const cell = (leaked: readonly number[], kind: number) =>
    leaked.filter((n) => Math.floor(n / PER_KIND) === kind).length;
  const rows = kinds.flatMap((kind, at) => {
    const cells = [...out.values()].map((leaked) => cell(leaked, at));
    return cells.some((n) => n > 0)
      ? [`| ${kind} | ${cells.map((n) => (n ? `${n}` : '·')).join(' | ')} |`]
      : [];
  });
  const total = [...out.values()].map((leaked) => `${leaked.length} of ${secrets.length}`);
  task.meta.tables = [
    `Made-up secrets of ${kinds.length} kinds, ${PER_KIND} of each, in a log, a source file and a file name: how many came out of each door, whole or 12 characters of them. Kinds without a row: none.`,
    [
      `| kind | ${[...out.keys()].join(' | ')} |`,
      `|---|${'---|'.repeat(out.size)}`,
      ...rows,
      `| **all ${kinds.length}** | ${total.join(' | ')} |`,
    ].join('\n'),
    `Kinds: ${kinds.join(', ')}.`,
  ];
  for (const [name, leaked] of out)
    expect(
      leaked.length / secrets.length,
      `${name}: ${leaked.map((n) => secrets[n]?.text)}`,
    ).toBeLessThanOrEqual(0.01);
});

test('everyday passwords in the forms they are written in', ({ task }) => {
  const texts = PASSWORD_FORMS.flatMap((form) => EVERYDAY_PASSWORDS.map((one) => [form(one), one] as const));
  const out = texts.filter(([text, password]) => redact(text).includes(password));
  counted(task, texts.length, texts.length - out.length);
  expect(out.length / texts.length).toBeLessThanOrEqual(0.01);
});

test('real source is left as it is', ({ task }) => {
  const folders = (process.env.PINHOLE_CORPORA ?? 'src:web/src:scripts').split(':');
  const found = folders.map((folder) => ({ folder, ...changedLines(folder) }));
  const lines = found.reduce((sum, { lines: some }) => sum + some, 0);
  const changed = found.reduce((sum, { changed: some }) => sum + some.length, 0);
  const doubtful = found.flatMap(({ changed: some }) => some.filter(({ doubtful: no }) => no));
  counted(task, lines, lines - doubtful.length);
  if (process.env.PINHOLE_SHOW === 'changed')
    for (const { place: at, after, doubtful: no } of found.flatMap(({ changed: some }) => some))
      console.log(no ? 'doubtful' : 'changed', at, after);
  task.meta.tables = [
    `Real source: of ${lines.toLocaleString('en-US')} lines, ${changed} were changed, ${doubtful.length} of them doubtful: what was taken out does not have the form of a credential. The others are test keys, passwords of examples and addresses with passwords. PINHOLE_SHOW=changed prints them.`,
    [
      '| folder | lines | changed | doubtful | doubtful per 100,000 lines |',
      '|---|---|---|---|---|',
      ...found.map(({ folder, lines: some, changed: of }) => {
        const without = of.filter(({ doubtful: no }) => no).length;
        return `| ${folder.split('/').at(-1)} | ${some.toLocaleString('en-US')} | ${of.length} | ${without} | ${((without * 100_000) / some).toFixed(2)} |`;
      }),
    ].join('\n'),
  ];
  expect(doubtful.length / lines).toBeLessThanOrEqual(1 / 100_000);
});
