// Fits the weights of the token estimate (src/tokens/weights.ts) to the o200k tokenizer.
//
//   node scripts/fit-tokens.mjs [FOLDER[=SHARE]…]
//
// Folders are searched for text of any kind. Every file extension is a class, and so is every .txt file (prose, one file
// per language); a class has the weight of its folder's share, 1 by default. Without folders: this repository and its
// node_modules. For prose in many languages, pass your own folders.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { build } from 'esbuild';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

const CLASS_CHARS = 1_500_000;
const FILE_CHARS = 60_000;
const STEPS = 2e7;
const SYNTHETIC_SHARE = 5;
const SPLIT =
  /[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/giu;

async function load(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* files(path);
    else if (entry.isFile() && statSync(path).size < 4_000_000) yield path;
  }
}

// The same files are held out every time, chosen by their names.
function isHeldOut(path) {
  let hash = 7;
  for (const character of path) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
  return hash % 5 === 0;
}

const ENDINGS = new Set(
  'js mjs cjs ts tsx json md c h cc cpp hpp css html yml yaml sh py go rs java rb php cs swift kt lua pl ex exs hs zig scala vim txt'.split(
    ' ',
  ),
);
const text = { fit: new Map(), check: new Map() };

const sizes = new Map();

function add(part, kind, content) {
  const size = (sizes.get(part + kind) ?? 0) + content.length;
  if (size > CLASS_CHARS / (part === 'fit' ? 1 : 5)) return;
  sizes.set(part + kind, size);
  if (!text[part].has(kind)) text[part].set(kind, []);
  text[part].get(kind).push(content);
}

const shares = new Map();
const folders = process.argv.slice(2);
for (const argument of folders.length > 0 ? folders : ['src', 'docs', 'scripts', 'node_modules']) {
  const [folder, share = '1'] = argument.split('=');
  for (const path of files(folder)) {
    const ending = extname(path).slice(1);
    add(isHeldOut(path) ? 'check' : 'fit', 'real paths', `${path}\n`);
    if (!ENDINGS.has(ending)) continue;
    const kind = ending === 'txt' ? basename(path, '.txt') : ending;
    shares.set(kind, Number(share));
    const content = readFileSync(path, 'utf8');
    if (content.includes('\u0000') || content.includes('\ufffd')) continue;
    // Prose is one file per language: its last part is held out.
    if (ending === 'txt') {
      const cut = Math.floor(content.length * 0.8);
      add('fit', kind, content.slice(0, cut));
      add('check', kind, content.slice(cut));
    } else add(isHeldOut(path) ? 'check' : 'fit', kind, content.slice(0, FILE_CHARS));
  }
}
const { randomFrom, syntheticCorpus } = await load('src/tokens/corpus.fixture.ts');
const synthetic = syntheticCorpus(1, 120);
for (const [kind, list] of Object.entries(synthetic)) for (const item of list) add('fit', kind, item);
for (const [kind, list] of Object.entries(syntheticCorpus(2, 30)))
  for (const item of list) add('check', kind, item);

// Every distinct piece of the text once, with its weight, its true cost and the weights that the tally reads for it.
const { tally, WEIGHT_COUNT } = await load('src/tokens/tally.ts');
const pieces = new Map();
for (const [kind, list] of text.fit) {
  const split = list.flatMap((content) => content.match(SPLIT) ?? []);
  for (const piece of split)
    pieces.set(piece, (pieces.get(piece) ?? 0) + (shares.get(kind) ?? SYNTHETIC_SHARE) / split.length);
}
let read = [];
const recorder = new Proxy([], {
  get(_, key) {
    read.push(Number(key));
    return 0;
  },
});
const examples = [...pieces].map(([piece, weight]) => {
  read = [];
  tally(piece, recorder);
  return { weight, cost: encode(piece).length, read };
});
console.log(`${examples.length} different pieces of ${text.fit.size} classes`);

// Least squares in small steps, over pieces drawn as often as they occur. The estimate for a piece of one token may be
// lower: the tally raises it to one.
const random = randomFrom(3);
const sums = new Float64Array(examples.length);
examples.reduce((sum, { weight }, i) => (sums[i] = sum + weight), 0);
const weights = new Float64Array(WEIGHT_COUNT);
for (let step = 0, loss = 0; step < STEPS; step++) {
  const { cost, read } = examples[draw()];
  let sum = 0;
  for (const index of read) sum += weights[index];
  const error = Math.max(1, sum) - cost;
  loss += error * error;
  const rate = 0.3 * (1 - step / STEPS) ** 2;
  if (error !== 0) for (const index of read) weights[index] -= (rate * error) / read.length;
  if (step % 2e6 === 2e6 - 1) {
    console.log(`${step + 1} steps: mean square error ${(loss / 2e6).toFixed(4)}`);
    loss = 0;
  }
}

function draw() {
  const aim = (random(2 ** 31) / 2 ** 31) * sums[sums.length - 1];
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle] < aim) low = middle + 1;
    else high = middle;
  }
  return low;
}

// For the held-out text: the total error of each class, and how many pieces of answer size are within a tenth.
for (const [kind, list] of text.check) {
  const samples = list.join('\n').match(/[\s\S]{1,4000}/gu) ?? [];
  const errors = samples.map((sample) => {
    const truth = encode(sample).length;
    return { truth, guess: tally(sample, weights) };
  });
  const truth = errors.reduce((sum, error) => sum + error.truth, 0);
  const guess = errors.reduce((sum, error) => sum + error.guess, 0);
  const near = errors.filter((error) => Math.abs(error.guess / error.truth - 1) <= 0.1).length;
  console.log(
    `${kind.padEnd(24)} ${String(truth).padStart(8)} tokens ${((guess / truth - 1) * 100).toFixed(1).padStart(6)} %` +
      ` ${near} of ${samples.length} within 10 %`,
  );
}

const { encodeWeights } = await load('src/tokens/encoding.ts');
const lines = encodeWeights(weights).match(/.{1,100}/g) ?? [];
writeFileSync(
  'src/tokens/weights.ts',
  `// Made by scripts/fit-tokens.mjs.\nexport const WEIGHTS = \`\n${lines.join('\n')}\n\`;\n`,
);
