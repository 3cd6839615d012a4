// The token estimate compared with counting by gpt-tokenizer, and how far off it is.
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { loadSources } from './source.mjs';

export async function run({ rounds = Number(process.env.BENCH_RUNS ?? 5) } = {}) {
  const { estimateTokens, syntheticCorpus } = await loadSources('tokens', [
    'src/tokens/estimate',
    'src/tokens/corpus.fixture',
  ]);
  const corpus = syntheticCorpus(5, 60);
  const answers = [...corpus['answers in JSON'], ...corpus['answers in text']];
  const bytes = answers.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const speeds = { estimate: 0, tokenizer: 0 };
  const passes = Array.from({ length: 20 }, () => answers).flat();
  for (let round = 0; round < rounds; round++) {
    speeds.estimate = Math.max(speeds.estimate, speedOf(estimateTokens, passes));
    speeds.tokenizer = Math.max(speeds.tokenizer, speedOf(encode, answers));
  }
  const errors = answers.map((text) => estimateTokens(text) / encode(text).length - 1);
  const near = errors.filter((error) => Math.abs(error) <= 0.1).length;
  const worst = Math.max(...errors.map(Math.abs));
  console.log(
    `command: npm run bench -- tokens   (${answers.length} answers, ${(bytes / 1e6).toFixed(1)} MB, processor time)`,
  );
  console.log(`estimate  ${speeds.estimate.toFixed(0).padStart(6)} MB/s   (target 100)`);
  console.log(
    `tokenizer ${speeds.tokenizer.toFixed(0).padStart(6)} MB/s   ratio ${(speeds.estimate / speeds.tokenizer).toFixed(0)}`,
  );
  console.log(`within 10 %: ${near} of ${answers.length}, worst ${(worst * 100).toFixed(1)} %`);
  return { speed: speeds.estimate, near: near / answers.length };
}

function speedOf(work, texts) {
  const start = process.cpuUsage();
  let bytes = 0;
  for (const text of texts) {
    work(text);
    bytes += text.length;
  }
  const { user, system } = process.cpuUsage(start);
  return bytes / (user + system);
}
