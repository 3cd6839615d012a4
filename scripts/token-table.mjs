// Writes docs/tokens.md: token totals of 20 sessions from Pinhole, from the clients' own records, and from ccusage.
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
const PEERS = ['ccusage@18.0.11', '@ccusage/codex@18.0.11'];

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

/** Every session in a folder of its own, so that ccusage gives a total for each. */
function ccusage(rows) {
  const tool = join(work, 'tool');
  mkdirSync(tool);
  writeFileSync(join(tool, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--silent', ...PEERS], { cwd: tool });
  for (const [index, row] of rows.entries()) {
    const claude = row.place.startsWith('claude_code');
    if (!claude && !row.place.startsWith('codex')) continue;
    const target = claude
      ? join(work, 'claude/projects', `s${index}`)
      : join(work, 'codex/sessions', `s${index}`);
    for (const path of [row.path, ...(claude ? subagents(row.path) : [])])
      cpSync(path, join(target, basename(path)));
  }
  const ask = (command, env) =>
    JSON.parse(
      execFileSync(join(tool, 'node_modules/.bin', command), ['session', '--json', '--offline'], {
        env: { ...process.env, ...env },
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      }),
    ).sessions.map((session) => [session.sessionId.split('/')[0], session.totalTokens]);
  return new Map([
    ...ask('ccusage', { CLAUDE_CONFIG_DIR: join(work, 'claude') }),
    ...ask('ccusage-codex', { CODEX_HOME: join(work, 'codex') }),
  ]);
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

/** The total that the client itself wrote, or undefined. Read here without any of Pinhole's code. */
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

/** What a sum over the first line of every response gives. */
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
  if (theirs === undefined) reasons.push('ccusage 18 does not read this client');
  else if (theirs !== ours) reasons.push(peerReason(row, ours, own, theirs));
  return reasons.length === 0 ? 'all agree' : reasons.join('; ');
}

function peerReason(row, ours, own, theirs) {
  if (row.place.startsWith('codex') && theirs > ours) {
    return 'ccusage adds token_count records that the client wrote twice; the running total says they are one';
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
token records of Codex, the token fields of Gemini CLI. Claude Code before 2.1.3xx writes none. ccusage is 18.0.11.

The table is from ccusage 18.0.11 and was not made again with 20.0.24. What was measured with 20.0.24 is time: on 600 MB of
logs (copies of real ones with fresh ids), \`pinhole sessions usage\` with an empty data folder took 7.0 s of processor time
and \`ccusage daily --json --offline\` 1.8 s. In that run ccusage counted 1,229,946,593 tokens and Pinhole 1,557,335,299;
why they differ was not looked into. Pinhole's total is that of its full reader (\`test/corpus/tokens-first.corpus.ts\`
compares the two on the logs that were copied).

| session | client | Pinhole | client's own | ccusage | why they differ |
|---|---|---:|---:|---:|---|
${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`;
}
