import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ask, temporaryFolder } from '../../test/support.ts';
import { openWorld, SECRET } from '../../test/world.ts';
import type { RawInput } from '../contract/input.ts';

let world: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  world = await openWorld();
});

const asked = async (input: RawInput, who = {}) => {
  const { answer } = await ask(world.app, 'sql', input, { roots: [world.root], cwd: world.root, ...who });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.envelope.data as {
    columns: string[];
    rows: unknown[][];
    notes?: string[];
    further?: { rows: unknown[][] }[];
  };
};
const rows = async (query: string, find?: string) =>
  (await asked({ query, ...(find !== undefined && { find }) })).rows;

describe('the disk', () => {
  test('files and folders with what the index knows', async () => {
    expect(
      await rows(
        `select name, folder, ext, kind, size, depth, links from files where name = 'same.bin' order by path limit 1`,
      ),
    ).toEqual([['same.bin', join(world.root, 'copies/0'), 'bin', 'file', 8500, 3, 1]]);
    expect(
      await rows(
        `select name, depth, entries, files, folders, size >= 51000 from folders where name = 'copies'`,
      ),
    ).toEqual([['copies', 1, 6, 6, 6, 1]]);
    expect(await rows('select path, depth, folder from folders where depth = 0 order by path')).toEqual(
      [world.root, world.repository].sort().map((path) => [path, 0, null]),
    );
    expect(await rows('select count(*), sum(size) from files')).toEqual(
      await rows('select sum(files), (select sum(size) from files) from folders where depth = 0'),
    );
  });

  test('a statement that names no folder says which folders it is about', async () => {
    const both = [world.root, world.repository].sort().join(', ');
    const count = 'select count(*) n from files';
    expect((await asked({ query: count })).notes).toEqual([`Where no folder is named: ${both} together.`]);
    const named = `${count} where path like '${world.root}/%'; select root, count(*) from folders group by 1`;
    expect((await asked({ query: named })).notes).toBeUndefined();
  });

  test('what version control keeps for itself can be left out', async () => {
    const folder = await realpath(temporaryFolder());
    const who = { roots: [folder], cwd: folder };
    mkdirSync(join(folder, 'app/.git/objects'), { recursive: true });
    mkdirSync(join(folder, 'tree/src.git'), { recursive: true });
    const same = 'x'.repeat(2_000);
    for (const name of ['app/.git/objects/ab', 'app/.git/HEAD', 'app/a.ts', 'app/.gitignore', 'tree/.git'])
      writeFileSync(join(folder, name), same);
    const names = `group_concat(replace(path, '${folder}/', ''), ' ')`;
    const query = ['files', 'folders', 'duplicates']
      .map(
        (table) =>
          `select vcs, ${names} from (select * from ${table} where path like '${folder}/%' order by path) group by 1`,
      )
      .join(';');
    const { rows: files, further } = await asked({ query }, who);
    expect([files, ...(further ?? []).map((table) => table.rows)]).toEqual([
      [
        [0, 'app/.gitignore app/a.ts'],
        [1, 'app/.git/HEAD app/.git/objects/ab tree/.git'],
      ],
      [
        [0, 'app tree tree/src.git'],
        [1, 'app/.git app/.git/objects'],
      ],
      [
        [0, 'app/.gitignore app/a.ts'],
        [1, 'app/.git/HEAD app/.git/objects/ab tree/.git'],
      ],
    ]);
  });

  test('times are local text that compares with ago()', async () => {
    const [[count]] = (await rows("select count(*) from files where modified > ago('1h')")) as [[number]];
    expect(count).toBeGreaterThan(100);
    expect(await rows("select count(*) from files where modified < '2001-01-01'")).toEqual([[0]]);
    expect(await rows('select distinct length(modified) from folders')).toEqual([[19]]);
  });

  test('permissions, and the order of files that were written within a second', async () => {
    const folder = await realpath(temporaryFolder());
    const who = { roots: [folder], cwd: folder };
    for (const [name, mode, seconds] of [
      ['run', 0o755, 1_700_000_000.25],
      ['read', 0o4640, 1_700_000_000.125],
      ['none', 0, 1_700_000_000],
    ] as const) {
      writeFileSync(join(folder, name), name);
      chmodSync(join(folder, name), mode);
      utimesSync(join(folder, name), seconds, seconds);
    }
    symlinkSync('run', join(folder, 'link'));
    const query = `select name, mode, executable, substr(modified, 18) from files
      where kind = 'file' and path like '${folder}/%' order by modified`;
    expect((await asked({ query }, who)).rows).toEqual([
      ['none', '0', 0, '20'],
      ['read', '4640', 0, '20.125'],
      ['run', '755', 1, '20.250'],
    ]);
    expect(
      (
        await asked(
          { query: "select executable, date(modified) > '2020' from files where name = 'link'" },
          who,
        )
      ).rows,
    ).toEqual([[0, 1]]);
    chmodSync(join(folder, 'none'), 0o700);
    await ask(world.app, 'index', { root: folder, full: true }, who);
    expect((await asked({ query: "select mode from files where name = 'none'" }, who)).rows).toEqual([
      ['700'],
    ]);
  });

  test('files with equal content, in the folders that a statement names', async () => {
    const folder = await realpath(temporaryFolder());
    const who = { roots: [folder], cwd: folder };
    for (const name of ['a', 'b']) mkdirSync(join(folder, name));
    const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
    for (const name of ['a/1', 'a/2', 'b/3']) put(name, 'same'.repeat(2_000));
    for (const name of ['a/4', 'b/5']) put(name, 'x'.repeat(3_000));
    put('b/6', `y${'x'.repeat(2_999)}`);
    put('a/empty', '');
    put('b/empty', '');
    linkSync(join(folder, 'a/4'), join(folder, 'a/linked'));
    const found = (query: string) => asked({ query }, who);
    const groups = `select wasted, size, copies, group_concat(replace(path, '${folder}/', ''), ' ') from duplicates`;
    const ordered = 'group by hash order by wasted desc';
    expect((await found(`${groups} where path like '${folder}/%' ${ordered}`)).rows).toEqual([
      [16_000, 8_000, 3, 'a/1 a/2 b/3'],
      [3_000, 3_000, 2, 'a/4 b/5'],
    ]);
    expect((await found(`${groups} where path like '${folder}/a/%' ${ordered}`)).rows).toEqual([
      [8_000, 8_000, 2, 'a/1 a/2'],
    ]);
    expect((await found(`${groups} where path like '${folder}/%' and size >= 5e3 ${ordered}`)).rows).toEqual([
      [16_000, 8_000, 3, 'a/1 a/2 b/3'],
    ]);
    // Several statements, each about its own folders, and one that joins.
    const { rows: first, further } = await found(
      `select count(*) from duplicates where path like '${folder}/b/%';
       select count(*) from duplicates where path like '${folder}/%';
       select f.name, d.copies from duplicates d join files f using (path) where f.path = '${folder}/b/5'`,
    );
    expect([first, further?.map(({ rows: some }) => some)]).toEqual([[[0]], [[[5]], [['5', 2]]]]);
    const others = { roots: [join(folder, 'b')], cwd: join(folder, 'b') };
    const inside = `select count(*) from duplicates where path like '${folder}/%'`;
    expect((await asked({ query: inside }, others)).rows).toEqual([[0]]);
  });

  test('what grew, where it grew, as index reports it', async () => {
    expect(
      await rows(
        'select path, delta, now - before = delta, added, removed, since <= until from grew order by delta desc limit 1',
      ),
    ).toEqual([[world.root, 300_000, 1, 1, 0, 1]]);
    const folder = await realpath(temporaryFolder());
    const who = { roots: [folder], cwd: folder };
    const report = async () =>
      (await ask(world.app, 'index', { root: folder, full: true }, who)).body.data.report;
    mkdirSync(join(folder, 'sub'));
    for (const name of ['kept', 'sub/gone']) writeFileSync(join(folder, name), 'x'.repeat(1_000));
    await report();
    rmSync(join(folder, 'sub/gone'));
    for (const name of ['sub/one', 'sub/two']) writeFileSync(join(folder, name), 'y'.repeat(3_000));
    const { growth } = await report();
    expect(growth.folders).toEqual([
      { path: 'sub', grown: 5_000, files: 1, added: 2, removed: 1, modified: 0 },
    ]);
    const query = `select path, delta, added, removed, modified from grew where path like '${folder}/%'`;
    expect((await asked({ query }, who)).rows).toEqual([[join(folder, 'sub'), 5_000, 2, 1, 0]]);
  });

  test('links: what they say, where that is, and that folders count them as files', async () => {
    const folder = await realpath(temporaryFolder());
    mkdirSync(join(folder, 'a'));
    writeFileSync(join(folder, 'x'), 'x');
    symlinkSync('../x', join(folder, 'a/up'));
    symlinkSync('nowhere', join(folder, 'a/lost'));
    const who = { roots: [folder], cwd: folder };
    const query = "select name, target, resolved, broken from files where kind = 'symlink' order by name";
    expect((await asked({ query }, who)).rows).toEqual([
      ['lost', 'nowhere', join(folder, 'a/nowhere'), 1],
      ['up', '../x', join(folder, 'x'), 0],
    ]);
    const below = `select dirname(path, 1, root), depth from files where depth = 2 and root = '${folder}' limit 1`;
    expect((await asked({ query: below }, who)).rows).toEqual([[join(folder, 'a'), 2]]);
    expect((await asked({ query: `select files from folders where path = '${folder}'` }, who)).rows).toEqual([
      [3],
    ]);
  });

  test('a file with several names counts once, and a versioned library is one', async () => {
    const folder = await realpath(temporaryFolder());
    writeFileSync(join(folder, 'libz.so.1.3'), 'x'.repeat(5_000));
    linkSync(join(folder, 'libz.so.1.3'), join(folder, 'libz.so.1'));
    const who = { roots: [folder], cwd: folder };
    // Nobody has indexed the folder: the query does.
    const { rows: found } = await asked(
      {
        query: "select ext, count(*), sum(size), sum(links) from files where path like '%/libz%' group by 1",
      },
      who,
    );
    expect(found).toEqual([['so', 2, 5_000, 4]]);
    const names =
      "select root, count(*), count(distinct inode), min(links) from files where path like '%/libz%'";
    expect((await asked({ query: names }, who)).rows).toEqual([[folder, 2, 1, 2]]);
    expect(
      (await asked({ query: `select root, path from folders where path = '${folder}'` }, who)).rows,
    ).toEqual([[folder, folder]]);
  });

  test('a folder is read as a whole although folders inside are named too', async () => {
    const folder = await realpath(temporaryFolder());
    for (const name of ['a', 'b', 'c', 'd']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'f.txt'), 'x');
    }
    const who = { roots: [folder], cwd: world.root };
    const inner = await asked({ query: `select count(*) from files where folder = '${folder}/a'` }, who);
    expect(inner.rows).toEqual([[1]]);
    const query = `select count(*) from files where folder in ('${folder}/a', '${folder}/b', '${folder}/c');
      select count(*) from files where path like '${folder}/%'`;
    const { rows: three, further } = await asked({ query }, who);
    expect([three, further?.[0]?.rows]).toEqual([[[3]], [[4]]]);
  });

  test('only folders that the caller may read', async () => {
    const other = await realpath(temporaryFolder());
    for (const name of ['mine', 'theirs']) {
      mkdirSync(join(other, name));
      writeFileSync(join(other, name, 'a.txt'), 'x');
    }
    const whole = { roots: [other], cwd: other };
    const query = `select path from files where path like '${other}/%' order by 1`;
    const { answer } = await ask(world.app, 'index', { root: other }, whole);
    expect(answer.ok).toBe(true);
    await expect.poll(async () => (await asked({ query }, whole)).rows.length).toBe(2);
    const mine = { roots: [join(other, 'mine')], cwd: join(other, 'mine') };
    expect((await asked({ query }, mine)).rows).toEqual([[join(other, 'mine/a.txt')]]);
    const folders = `select path from folders where path like '${other}%'`;
    expect((await asked({ query: folders }, mine)).rows).toEqual([[join(other, 'mine')]]);
    expect((await asked({ query: `select * from grew where path like '${other}%'` }, mine)).rows).toEqual([]);
    // The folder that the test world allows permanently does not make others readable.
    await expect(rows(query)).rejects.toThrow(`: ${other}. To allow more`);
  });

  test('a path that may not be read is named first, and one that may be is indexed', async () => {
    const query = "select count(*) from files where path like '/nowhere/at/all/%'";
    const { answer } = await ask(world.app, 'sql', { query }, { roots: [world.root], format: 'text' });
    const { code, message: first = '' } = answer.ok ? {} : answer.error;
    expect(code).toBe('path_not_allowed');
    expect(first).toMatch(
      /^Outside the folders that may be read here \(allowed: .*\): \/nowhere\/at\/all\. /,
    );
    expect(first).toContain(world.root);
    expect(first.endsWith('To allow more, a person runs: pinhole allow PATH')).toBe(true);
    const range = `select count(*) > 0 has from files where path > '${world.root}/' and path < '${world.root}0'`;
    const text = (await ask(world.app, 'sql', { query: range }, { roots: [world.root], format: 'text' }))
      .answer;
    expect(text.rendered.text).toBe('has\n1');
    const part = await asked({
      query: "select count(*) from files where path like folder || '/node_modules/%'",
    });
    expect(part.notes?.join() ?? '').not.toContain('node_modules');
    const other = await realpath(temporaryFolder());
    writeFileSync(join(other, 'a.txt'), 'x');
    const inside = await ask(
      world.app,
      'sql',
      { query: `select name from files where path = '${join(other, 'a.txt')}'` },
      { roots: [other], cwd: world.root, format: 'text' },
    );
    expect(inside.answer.rendered.text).toBe('name\na.txt');
  });
});

test('a statement has no rows of folders that may not be read, and says so', async () => {
  const only = "select count(*) n, sum(broken) b from files where path glob '/usr/lib/*'";
  const mixed = `select count(*) > 9 has from files where root in ('/usr', '${world.root}', '/opt')`;
  const gone = `select path from files where path like '${world.root}/gone/%'`;
  const code = "select count(*) from symbols where repo = '/opt/app'";
  const query = [only, mixed, gone, code].join(';');
  const who = { roots: [world.root], cwd: world.root };
  const { answer } = await ask(world.app, 'sql', { query }, { ...who, format: 'text' });
  const [outside, ...lines] = answer.rendered.text.split('\n');
  expect(outside).toMatch(/: \/usr, \/opt\. To allow more, a person runs: pinhole allow PATH$/);
  expect(lines).toEqual([
    '#1: Error: /usr/lib is outside the folders that may be read.',
    '',
    'Without /usr, /opt (refused).',
    'has',
    '1',
    '',
    `#3: Nothing exists at ${world.root}/gone. No rows.`,
    '',
    '#4: Error: /opt/app is outside the folders that may be read.',
  ]);
  expect(await asked({ query })).toMatchObject({
    rows: [],
    error: '/usr/lib is outside the folders that may be read.',
    further: [{ rows: [[1]], unread: 'Without /usr, /opt (refused).' }, { rows: [] }, { rows: [] }],
  });
  await expect(asked({ query: `${only}; ${code}` })).rejects.toThrow(
    /^Statement 1: \/usr\/lib is .*\nStatement 2: \/opt\/app is .*\nOutside .*: \/usr\/lib, \/opt\/app\. /,
  );
});

describe('sessions', () => {
  test('calls, edits and messages join', async () => {
    expect(
      await rows(
        "select tool, status, count(*) from calls where session = 'aaaaaaaa' group by 1, 2 order by 1",
      ),
    ).toEqual([
      ['Bash', 'failed', 4],
      ['Edit', 'ok', 1],
      ['Read', 'ok', 1],
    ]);
    expect(
      await rows(
        `select e.path, e.added, e.removed, e.status, f.ext from edits e join files f on f.path = e.path`,
      ),
    ).toEqual([[join(world.root, 'src/module-1.ts'), 1, 1, 'ok', 'ts']]);
  });

  test('a call has the text that came back', async () => {
    const query = `select tool, replace(substr(result, -13), char(10), ' ') from calls
      where session = 'aaaaaaaa' and tool <> 'Bash' order by event`;
    expect(await rows(query)).toEqual([
      ['Read', 'the last line'],
      ['Edit', 'updated'],
    ]);
  });

  test('find fills the table found', async () => {
    expect(
      await rows(
        'select session, type, around(text, $$, 30) is not null from found order by event limit 1'.replace(
          '$$',
          "'still'",
        ),
        'still fails',
      ),
    ).toEqual([['aaaaaaaa', 'message', 1]]);
    expect(await rows('select count(*) from found join calls using (session, event)', '/npm te.t/')).toEqual([
      [4],
    ]);
  });

  test('secrets are in no cell, however it is computed', async () => {
    const text = JSON.stringify([
      await rows(
        "select path, hex(name), substr(name, 1, 12), name || 1 from files where path like '%names%'",
      ),
      await rows(
        'select text, substr(text, 30), command, error from calls left join messages using (session)',
      ),
      await rows(`select '${SECRET}', '${SECRET.slice(0, 10)}' || '${SECRET.slice(10)}'`),
    ]);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(SECRET.slice(0, 12));
    expect(text).not.toContain(Buffer.from(SECRET).toString('hex').toUpperCase().slice(0, 24));
  });
});

test('pages come from one run of the query', async () => {
  const query = 'select path, random() r from files order by path';
  const first = await ask(world.app, 'sql', { query, limit: 5 }, { roots: [world.root], cwd: world.root });
  if (!first.answer.ok) throw new Error(first.answer.error.message);
  const cursor = first.answer.envelope.pagination?.next_cursor ?? '';
  const second = () => asked({ cursor });
  expect(await second()).toEqual(await second());
});

test('a query that does not end is stopped and explained, and the next one is answered', async () => {
  const slow =
    'select count(*) from files a, files b, files c, files d where a.size + b.size > c.size + d.size';
  const { answer } = await ask(
    world.app,
    'sql',
    { query: slow },
    { roots: [world.root], cwd: world.root, timeoutMs: 10_000 },
  );
  expect(answer.ok).toBe(false);
  if (!answer.ok) {
    expect(answer.error.code).toBe('search_timeout');
    expect(answer.error.message).toMatch(/^Stopped after 9 s\. It compares every row with every row/);
  }
  expect(await rows('select 1')).toEqual([[1]]);
});

test('several statements have a table each', async () => {
  const query = "select 1 as a; select 2 as b where 0; select snip('x', 3) as c, 4 as d";
  const data = await asked({ query });
  expect(data).toEqual({
    columns: ['a'],
    rows: [[1]],
    further: [
      { columns: ['b'], rows: [] },
      { columns: ['c', 'd'], rows: [['x', 4]] },
    ],
  });
  const who = { roots: [world.root], cwd: world.root, format: 'text' } as const;
  const { answer } = await ask(world.app, 'sql', { query }, who);
  expect(answer.rendered.text).toBe('a\n1\n\n#2: No rows.\n\nc\td\nx\t4');
  const shared = await ask(
    world.app,
    'sql',
    { query: `${numbers(500)}; select 7 b` },
    { ...who, budget: 2_000 },
  );
  const lines = shared.answer.rendered.text.split('\n');
  expect(lines[0]).toBe("value\t'x'");
  expect(lines.slice(-5)).toEqual([
    '… 376 more',
    '',
    'b',
    '7',
    expect.stringMatching(/^more: cursor=\S+ \(376 left\)$/),
  ]);
  const [, cursor] = /cursor=(\S+)/.exec(lines.at(-1) ?? '') ?? [];
  const next = (await ask(world.app, 'sql', { cursor }, who)).answer.rendered.text.split('\n');
  expect(next.slice(0, 3)).toEqual(['Statement 1 from row 125:', "value\t'x'", '125\tx']);
  const { further: most, notes } = await asked({ query: 'select 1;'.repeat(22) });
  expect(most).toHaveLength(19);
  expect(notes).toEqual(['The last 2 statements did not run; the limit is 20.']);
  const double = 'select count(*) > 100 from files where ext in ("txt", "md") and name <> "it\'s"';
  expect((await asked({ query: double })).rows).toEqual([[1]]);
  expect((await asked({ query: 'select count(*) from calls where status = "failed"' })).rows).toEqual(
    await rows("select count(*) from calls where status = 'failed'"),
  );
});

test('NULL is null in JSON, and short in text', async () => {
  const query = "select null, '', 0, 'x'; select 1, null";
  const { rows: first, further } = await asked({ query });
  expect([first, further?.[0]?.rows]).toEqual([[[null, '', 0, 'x']], [[1, null]]]);
  const { answer } = await ask(world.app, 'sql', { query }, { roots: [world.root], format: 'text' });
  expect(answer.rendered.text.split('\n').filter((line) => line.includes('\t'))).toEqual([
    "null\t''\t0\t'x'",
    '\t\t0\tx',
    '1\tnull',
    '1\tNULL',
  ]);
});

const numbers = (most: number) =>
  `with recursive n(value) as (select 1 union all select value + 1 from n where value < ${most}) select value, 'x' from n`;

test('agents see the first rows of a statement without a limit, and how many there are', async () => {
  const who = { roots: [world.root], cwd: world.root, format: 'text' } as const;
  const text = async (input: RawInput, changes = {}) =>
    (await ask(world.app, 'sql', input, { ...who, ...changes })).answer.rendered.text.split('\n');
  const first = await text({ query: numbers(900) }, { budget: 2_000 });
  expect(first).toHaveLength(127);
  const [, cursor] = /^more: cursor=(\S+) \(775 left\)$/.exec(first.at(-1) ?? '') ?? [];
  const second = await text({ cursor });
  expect(second[1]).toBe('126\tx');
  expect(second).toHaveLength(202);
  // A few more are not worth a call, and what was asked for is given.
  expect(await text({ query: numbers(130) }, { budget: 2_000 })).toHaveLength(131);
  expect(await text({ query: `${numbers(500)} limit 160` }, { budget: 2_000 })).toHaveLength(161);
  expect(await text({ query: numbers(500), limit: 60 })).toHaveLength(62);
  expect(await text({ query: numbers(150) }, { door: 'cli' })).toHaveLength(151);
});

test('ten statements with wide cells fit into one answer', async () => {
  const wide = "select 1 a, printf('%.8000c', 'x') b";
  const { answer } = await ask(
    world.app,
    'sql',
    { query: Array.from({ length: 10 }, () => wide).join(';') },
    { roots: [world.root], cwd: world.root, format: 'text' },
  );
  const { text } = answer.rendered;
  expect(text.match(/…\+7301$/gm)).toHaveLength(10);
  expect(text).not.toContain('more:');
});

test('a mistake in one of several statements leaves the others', async () => {
  const query = 'select 1 a; select pth from files; select 2 b';
  const { answer } = await ask(world.app, 'sql', { query }, { roots: [world.root], format: 'text' });
  expect(answer.rendered.text).toMatch(/^a\n1\n\n#2: Error: No column 'pth'\. files: [^\n]+\n\nb\n2$/);
  await expect(asked({ query: 'select a; select b' })).rejects.toThrow(
    "Statement 1: No column 'a'.\nStatement 2: No column 'b'.",
  );
});

test('several statements are prepared once, and find is searched only for those that read found', async () => {
  const { sessions, disk } = world.app.services;
  // They still do their work; what is counted is how often.
  const counted = {
    sessions: vi.spyOn(sessions, 'database'),
    find: vi.spyOn(sessions.search, 'find'),
    disk: vi.spyOn(disk.indexes, 'list'),
  };
  const counts = () => Object.values(counted).map((one) => one.mock.calls.length);
  onTestFinished(() => void vi.restoreAllMocks());
  const several = `select count(*) from calls; select count(*) from found; select count(*) > 9 from files;
    select count(*) from found join calls using (session, event); select count(*) > 9 from folders`;
  const data = await asked({ query: several, find: '/npm te.t/' });
  expect([data.rows, ...(data.further ?? []).map((table) => table.rows)]).toEqual([
    [[6]],
    [[4]],
    [[1]],
    [[4]],
    [[1]],
  ]);
  expect(counts()).toEqual([1, 1, 1]);
  const { notes } = await asked({ query: 'select 1', find: 'npm' });
  expect(notes).toEqual(['No statement reads found, so find did nothing.']);
  expect(counts()).toEqual([1, 1, 1]);
});

test('no rows below a relative path, and values that a column never has, come with a note', async () => {
  expect((await asked({ query: "select count(*) from calls where status = 'error'" })).notes).toEqual([
    "calls.status is never 'error', but one of ok, failed, rejected, cancelled, pending, unknown.",
  ]);
  expect((await asked({ query: "select path from sources where path like 'src/no/%'" })).notes).toContain(
    "Paths are absolute: try path like '%/src/no/%', or repo_path of edits.",
  );
});

test('the tables describe themselves', async () => {
  expect(await rows(`select "table", "column", type from tables where "table" = 'grew' limit 2`)).toEqual([
    ['grew', 'path', 'text'],
    ['grew', 'before', 'integer'],
  ]);
});
