// Redaction of log-like text, compared with plain secretlint with the same preset on the same text.
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { loadSources } from './source.mjs';

const MEGABYTES = 16;

/** CPU time; the two take turns, so that other work on the machine affects both alike, and the best round counts. */
export async function run({ rounds = Number(process.env.BENCH_RUNS ?? 5) } = {}) {
  const { redact, redactDeep, PLANTED, syntheticCorpus } = await loadSources('redact', [
    'src/contract/redact',
    'src/contract/redact/planted.fixture',
    'src/tokens/corpus.fixture',
  ]);
  const events = makeEvents(syntheticCorpus(4, 40), MEGABYTES * 1e6);
  const clean = events.map((event) => JSON.stringify(event)).join('\n');
  const planted = plant(clean, PLANTED);
  const contestants = {
    'redact, no secret': () => redact(clean),
    'redact, one secret in 10 kB': () => redact(planted),
    'redactDeep, no secret': () => redactDeep(events),
    'secretlint, no secret': () => lint(clean),
    'secretlint, one in 10 kB': () => lint(planted),
  };
  const best = new Map();
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(contestants)) {
      const start = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(start);
      const seconds = (user + system) / 1e6;
      best.set(name, Math.max(best.get(name) ?? 0, clean.length / 1e6 / seconds));
    }
  }
  console.log(
    `command: npm run bench -- redact   (${MEGABYTES} MB of events, processor time, best of ${rounds} rounds in turn)`,
  );
  for (const [name, speed] of best) console.log(`${name.padEnd(30)} ${speed.toFixed(0).padStart(6)} MB/s`);
  const ratio = best.get('redact, no secret') / best.get('secretlint, no secret');
  const withSecrets = best.get('redact, one secret in 10 kB') / best.get('secretlint, one in 10 kB');
  console.log(`ratio ${ratio.toFixed(1)} without secrets, ${withSecrets.toFixed(1)} with   (target 30 MB/s)`);
  return { speed: best.get('redact, no secret'), ratio };
}

/** Events as agents log them: tool calls with their output, answers, messages, and an occasional image. */
function makeEvents(corpus, size) {
  const texts = Object.values(corpus).flat();
  const events = [];
  for (let bytes = 0, i = 0; bytes < size; i++) {
    const text = texts[(i * 7919) % texts.length];
    events.push({
      type: i % 3 === 0 ? 'assistant' : 'tool_result',
      uuid: `${i.toString(16).padStart(8, '0')}-1111-4222-8333-444444444444`,
      timestamp: '2026-11-14T21:40:05.123Z',
      message: {
        role: 'user',
        content: [{ type: 'text', text }],
        usage: { input_tokens: i, output_tokens: 2 * i },
      },
    });
    bytes += text.length + 260;
  }
  return events;
}

function plant(text, secrets) {
  const parts = [];
  for (let at = 0, i = 0; at < text.length; at += 10_000, i++) {
    parts.push(text.slice(at, at + 10_000), ` ${secrets[i % secrets.length].text} `);
  }
  return parts.join('');
}

function lint(content) {
  return lintSource({
    source: { content, filePath: '/log.txt', ext: '.txt', contentType: 'text' },
    options: {
      config: { rules: [{ id: creator.meta.id, rule: creator, options: {} }] },
      noPhysicFilePath: true,
    },
  });
}
