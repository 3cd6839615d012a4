// Writes docs/tokens.md: token totals of 20 sessions by Pinhole, by the clients' own records, and by ccusage.
// PINHOLE_CORPUS names the folder with the logs; ccusage is installed into a temporary folder.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { steps } from '../bench/sessions.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const PEER = 'ccusage@20.0.24';

/** Which logs, and how many of each kind; forks and continued sessions come first. */
const CHOICE = [
  [/^claude_code\/generated-1\.0\.35\//, 3],
  [/^claude_code\/generated-2\.1\.14\//, 2],
  [/^claude_code\/generated-2\.1\.197\//, 3],
  [/^claude_code\/generated-2\.1\.325\//, 2],
  [/^claude_code\/entireio-cli\/[^/]+$/, 3],
  [/^codex\/generated-0\.57\.0\//, 1],
  [/^codex\/generated-0\.98\.0\//, 1],
  [/^codex\/generated-0\.166\.0\//, 3],
  [/^codex\/generated-large\//, 1],
  [/^gemini\/generated-0\.61\.0\//, 2],
];

/** Tokens of responses that ccusage counts in a fork and Pinhole counts in its origin. */
const forkedAway = new Set();

const corpus = process.env.PINHOLE_CORPUS;
if (corpus === undefined) throw new Error('PINHOLE_CORPUS must name the folder with the logs');
const logs = join(corpus, 'data/sessions');
const work = mkdtempSync(join(tmpdir(), 'pinhole-tokens-'));
try {
  const step = await steps();
  const found = Object.entries(step('totals', logs, join(work, 'home')).result)
    .map(([path, row]) => ({ path, place: relative(logs, path), ...row }))
    .filter((row) => !row.copy && !row.place.includes('/subagents/'));
  const chosen = CHOICE.flatMap(([pattern, count]) =>
    found
      .filter((row) => pattern.test(row.place))
      .sort((a, b) => Number(b.relation !== '') - Number(a.relation !== '') || b.total - a.total)
      .slice(0, count),
  );
  const peers = ccusage(chosen);
  for (const [index, row] of chosen.entries())
    if (row.relation === 'fork') forkedAway.add((peers.get(`s${index}`) ?? row.total) - row.total);
  const table = chosen.map((row, index) => line(row, peers.get(`s${index}`)));
  writeFileSync(join(root, 'docs/tokens.md'), page(table));
  console.log(`docs/tokens.md: ${table.length} sessions`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function subagents(path) {
  const folder = join(path.replace(/\.jsonl$/, ''), 'subagents');
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => join(folder, name))
    : [];
}

/** What ccusage reports for each session, by row number; each session is in its own folder, all in one home. */
function ccusage(rows) {
  const tool = join(work, 'tool');
  mkdirSync(tool);
  writeFileSync(join(tool, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--silent', PEER], { cwd: tool });
  const home = join(work, 'peer');
  const totals = new Map();
  for (const [index, row] of rows.entries()) {
    const name = `s${index}`;
    const target = row.place.startsWith('claude_code')
      ? join(home, '.claude/projects', name)
      : row.place.startsWith('codex')
        ? join(home, '.codex/sessions', name)
        : join(home, '.gemini/tmp', name, 'chats');
    for (const path of [row.path, ...subagents(row.path)]) cpSync(path, join(target, basename(path)));
  }
  for (const client of ['claude', 'codex', 'gemini']) {
    const { sessions } = JSON.parse(
      execFileSync(join(tool, 'node_modules/.bin/ccusage'), [client, 'session', '--json', '--offline'], {
        env: { PATH: process.env.PATH, HOME: home, TZ: 'UTC' },
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      }),
    );
    for (const { sessionId, projectPath, directory, totalTokens } of sessions) {
      const at = rows.findIndex(({ id }) => client === 'gemini' && sessionId.startsWith(id));
      const name = projectPath ?? directory ?? `s${at}`;
      totals.set(name, (totals.get(name) ?? 0) + totalTokens);
    }
  }
  return totals;
}

function records(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text) => {
      try {
        return [JSON.parse(text)];
      } catch {
        return [];
      }
    });
}

/** The total that the client itself wrote, or undefined. Uses none of Pinhole's code. */
function ownTotal(row) {
  if (row.place.startsWith('claude_code')) {
    const state = records(row.path).findLast((record) => record.type === 'cost-state');
    if (state === undefined) return undefined;
    return Object.values(state.modelUsage)
      .map(
        (use) => use.inputTokens + use.outputTokens + use.cacheReadInputTokens + use.cacheCreationInputTokens,
      )
      .reduce((sum, one) => sum + one, 0);
  }
  if (row.place.startsWith('codex')) {
    const exact = records(row.path).filter((record) => record.type === 'token_usage_record');
    if (exact.length > 0) return exact.reduce((sum, record) => sum + record.payload.usage.total_tokens, 0);
    const last = records(row.path).findLast(
      (record) => record.payload?.info?.total_token_usage !== undefined,
    );
    return last?.payload.info.total_token_usage.total_tokens;
  }
  const messages = new Map();
  for (const record of records(row.path)) if (record.tokens) messages.set(record.id, record.tokens.total);
  return [...messages.values()].reduce((sum, one) => sum + one, 0);
}

/** Tokens of subagents that only the log's progress records report. */
function relayed(row) {
  const seen = new Map();
  for (const { type, data } of records(row.path)) {
    const message = type === 'progress' ? data?.message?.message : undefined;
    if (message?.usage === undefined) continue;
    const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } =
      message.usage;
    const total = input_tokens + output_tokens + cache_read_input_tokens + cache_creation_input_tokens;
    seen.set(message.id, Math.max(seen.get(message.id) ?? 0, total));
  }
  return [...seen.values()].reduce((sum, one) => sum + one, 0);
}

/** The sum over the first line of every response. */
function firstLines(row) {
  const seen = new Map();
  for (const path of [row.path, ...subagents(row.path)]) {
    for (const { type, message } of records(path)) {
      if (type !== 'assistant' || message?.usage === undefined || seen.has(message.id)) continue;
      const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } =
        message.usage;
      seen.set(
        message.id,
        input_tokens + output_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0),
      );
    }
  }
  return [...seen.values()].reduce((sum, one) => sum + one, 0);
}

function line(row, theirs) {
  const claude = row.place.startsWith('claude_code');
  const ours = claude ? row.total + row.subagents : row.total;
  const own = ownTotal(row);
  const client = `${row.place.split('/')[0].replace('_code', '')} ${row.version || row.place.split('/')[1].replace('generated-', '')}`;
  const bound = row.lowerBounds > 0 ? '≥ ' : '';
  return [row.id, client, bound + shown(ours), shown(own), shown(theirs), why(row, ours, own, theirs)];
}

function why(row, ours, own, theirs) {
  const reasons = [];
  if (row.lowerBounds > 0) reasons.push('the client never wrote the final output count of some responses');
  if (own !== undefined && own !== ours) reasons.push(`UNEXPLAINED: ${own - ours} from the client's own`);
  if (theirs === undefined) reasons.push(`ccusage counts nothing of this ${row.relation || 'session'}`);
  else if (theirs !== ours) reasons.push(peerReason(row, ours, own, theirs));
  return reasons.length === 0 ? 'all agree' : reasons.join('; ');
}

function peerReason(row, ours, own, theirs) {
  if (row.place.startsWith('codex') && theirs > ours) {
    return 'ccusage adds token_count records that the client wrote twice; the running total says they are one';
  }
  if (row.relation === 'fork' && theirs > ours) {
    return `${shown(theirs - ours)} tokens are of responses before the fork: ccusage counts them here, not where they were made`;
  }
  if (forkedAway.has(ours - theirs)) {
    return `${shown(ours - theirs)} tokens are of responses that a fork repeats: ccusage counts them in the fork`;
  }
  if (ours - theirs === relayed(row)) {
    return `${shown(ours - theirs)} tokens are of subagents without a log: \`ccusage session\` leaves them out`;
  }
  if (row.relation === 'continuation' && theirs > ours) {
    return 'the log repeats the responses of the session it continues, without request ids: ccusage counts their lines again';
  }
  if (own === ours && theirs < ours) {
    return `${shown(ours - theirs)} tokens are of requests that the client counted but did not log (compaction)`;
  }
  if (theirs === firstLines(row)) {
    return 'ccusage keeps the first line of each response, but a later one has the larger output count';
  }
  return `UNEXPLAINED: ${theirs - ours}`;
}

function shown(count) {
  return count === undefined ? '–' : String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

function page(table) {
  return `# Token totals, side by side

Made by \`node scripts/token-table.mjs\` from logs that the clients themselves wrote. A response is counted once over all
logs, by its id; it belongs to the earliest session that has it. Cached input is part of the total, reasoning is part of
the output. The totals of Claude Code sessions include their subagents, as the client's own do.

"Client" is the total that the client wrote itself, read from its log without Pinhole: \`cost-state\` of Claude Code, the
token records of Codex, the token fields of Gemini CLI. Claude Code before 2.1.3xx writes none. "ccusage" is what
\`ccusage CLIENT session\` 20.0.24 shows.

| session | client | Pinhole | client's own | ccusage | why they differ |
|---|---|---:|---:|---:|---|
${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

## Over all logs

The same logs, all that there are of each client, with \`pinhole sessions usage\` and \`ccusage daily --json --offline\`
20.0.24, as compared by hand on 16 November 2026. Every difference was traced to its records:

| client | Pinhole | ccusage | difference | records |
|---|---:|---:|---:|---|
| Claude Code | 69,899,281 | 69,896,430 | +35,204 | requests that the client counted in its \`cost-state\` but did not log (compaction) |
| | | | +1,388 | three logs written by hand with spaces in their JSON: ccusage does not see their usage, and sees it once the spaces are gone |
| | | | +253 | a log written by hand has a record with the session id of another one, and a short id: we count it in both, which is wrong if the id is right |
| | | | −33,994 | a continued session of 1.0.35 repeats responses without request ids: ccusage counts them twice |
| Codex | 27,096,871 | 27,028,883 | +67,988 | a subagent and a fork with 33,994 each, as the client's own totals say: ccusage counts nothing of them, the subagent not even alone in an empty home |
| Gemini CLI | 830,026 | 918,611 | −88,585 | three copies of one session, each longer than the one before: all 8 responses of the shorter two are in the longest, and ccusage adds all three |

By model, Claude Code has the same tokens in both for each model that no line above concerns (opus-4-5, opus-4-6, opus-4-8,
opus-5, sonnet-4-5, haiku-4-5).

Until this comparison Pinhole was wrong by 6,133,738 tokens of Claude Code: 2.1.15 to 2.1.41 report the responses of a
subagent in \`progress\` records of the parent, and 120 of them are in no other log. They are counted now, and belong to
the parent's session until the log of the subagent is there. \`ccusage daily\` counts them, \`ccusage session\` does not.

On 600 MB (up to 17 copies of the same logs with fresh ids and the same times), Pinhole had 1,557,335,299 and ccusage
1,229,946,593. The difference of 327,388,706 is the sum of three: Codex +433,421,556, since \`ccusage daily\` counts a
record once if another file has one with the same time and counts (with the times of a copy moved by a minute it counts
both, and \`ccusage codex session\` counts all copies); Claude Code −104,251,335, nearly all of it the subagents above;
Gemini CLI −1,781,515, the session that is there three times.

With the subagents Pinhole has 1,661,608,845 there: Claude Code 1,188,242,145 (ccusage 1,188,219,934; the 22,211 between
them were not traced copy by copy), Codex 460,450,439 (27,028,883) and Gemini CLI 12,916,261 (14,697,776). With an empty
data folder \`pinhole sessions usage\` took 6.9 s of processor time until it answered, and \`ccusage daily\` 1.8 s.
Pinhole's first answer has the totals of its full reader; \`test/corpus/tokens-first.corpus.ts\` compares the two on the
logs that were copied.
`;
}
