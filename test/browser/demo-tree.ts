import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pick, seeded } from './random.ts';

/** A name that would run as a script if anything showed it as HTML. */
export const EVIL_NAME = '<img src=x onerror=globalThis.evil=1>.txt';
/** Code that would do the same. */
export const EVIL_CODE = 'const page = "<script>globalThis.evil = 1</script>"; // evil marker';

const DAY = 86_400_000;

interface Made {
  readonly folder: string;
  readonly names: (i: number) => string;
  readonly count: number;
  /** Minimum and maximum bytes of a file. */
  readonly bytes: readonly [number, number];
  /** Age of the oldest in days. */
  readonly days: number;
}

const PARTS: readonly Made[] = [
  {
    folder: 'media/footage',
    names: (i) => `take-${String(i).padStart(2, '0')}.mp4`,
    count: 14,
    bytes: [200, 1_400],
    days: 200,
  },
  { folder: 'media/stills', names: (i) => `IMG_${4200 + i}.jpg`, count: 60, bytes: [20, 90], days: 400 },
  { folder: 'media/sound', names: (i) => `ambience-${i}.wav`, count: 9, bytes: [80, 420], days: 90 },
  { folder: 'data/tiles', names: (i) => `tile-${i}.parquet`, count: 26, bytes: [60, 360], days: 40 },
  {
    folder: 'data/exports',
    names: (i) => `stations-2026-${String(1 + (i % 12)).padStart(2, '0')}-${i}.csv`,
    count: 18,
    bytes: [20, 220],
    days: 500,
  },
  {
    folder: 'node_modules/tiler/dist',
    names: (i) => `chunk-${i.toString(36)}.js`,
    count: 80,
    bytes: [1, 40],
    days: 30,
  },
  { folder: 'node_modules/charts/lib', names: (i) => `series-${i}.js`, count: 50, bytes: [1, 24], days: 30 },
  {
    folder: 'build/cache',
    names: (i) => `${(i * 7919).toString(16).padStart(6, '0')}.bin`,
    count: 40,
    bytes: [10, 160],
    days: 10,
  },
  { folder: 'logs', names: (i) => `server-${i}.log`, count: 20, bytes: [10, 180], days: 700 },
  { folder: 'archive', names: (i) => `release-0.${i}.zip`, count: 8, bytes: [150, 800], days: 900 },
];

const WORDS = [
  'tile',
  'station',
  'route',
  'layer',
  'cache',
  'retry',
  'session',
  'budget',
  'cursor',
  'legend',
] as const;

function typescript(name: string, random: () => number): string {
  const thing = name[0]?.toUpperCase() + name.slice(1);
  return `import { open${thing}Store } from './${name}-store.ts';

export interface ${thing} {
  readonly id: string;
  readonly bytes: number;
  readonly updatedAt: number;
}

/** How often a failed ${name} request is tried again, and how long to wait before each. */
export const RETRY = { times: ${2 + Math.floor(random() * 4)}, waitMs: [100, 400, 1_600] } as const;

/** Loads a ${name}, trying again when the store is busy. */
export async function load${thing}(id: string, signal: AbortSignal): Promise<${thing}> {
  const store = await open${thing}Store();
  for (let attempt = 0; ; attempt++) {
    try {
      return await store.get(id, { signal });
    } catch (error) {
      if (attempt >= RETRY.times || signal.aborted) throw error;
      await wait(RETRY.waitMs[attempt] ?? 1_600);
    }
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
`;
}

function python(name: string): string {
  return `"""Reads ${name} records from the exports."""
from pathlib import Path


def read_${name}s(folder: Path, limit: int = 1000):
    """Yields at most limit ${name}s, newest first."""
    for path in sorted(folder.glob("*.csv"), reverse=True):
        with path.open() as lines:
            for number, line in enumerate(lines):
                if number >= limit:
                    return
                yield line.rstrip().split(",")
`;
}

/** A project folder with code, media, data and leftovers. `scale` multiplies the sizes of everything but code. */
export function makeDemoTree(root: string, scale: number, evil: boolean): void {
  const random = seeded(7);
  const now = Date.now();
  const put = (path: string, content: string | Uint8Array, ageDays: number) => {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    const at = new Date(now - ageDays * DAY);
    utimesSync(full, at, at);
  };
  for (const part of PARTS) {
    const [least, most] = part.bytes;
    for (let i = 0; i < part.count; i++) {
      const size = Math.round((least + random() ** 2 * (most - least)) * 1_000 * scale);
      put(`${part.folder}/${part.names(i)}`, new Uint8Array(size).fill(65 + (i % 26)), random() * part.days);
    }
  }
  for (const word of WORDS) {
    put(`src/${word}.ts`, typescript(word, random), random() * 20);
    put(
      `src/${word}-store.ts`,
      `export async function open${word}Store() {\n  return new Map();\n}\n`,
      random() * 20,
    );
    put(`tools/${word}.py`, python(word), random() * 60);
    put(
      `docs/${word}.md`,
      `# The ${word}\n\nWhat a ${word} is, and ${pick(random, WORDS)} beside it.\n`,
      random() * 300,
    );
  }
  if (evil) {
    put(EVIL_NAME, 'x'.repeat(4_000), 1);
    put('src/evil.ts', `${EVIL_CODE}\nexport default page;\n`, 1);
  }
  put('README.md', '# Atlas\n\nMaps of stations.\n', 3);
  // Two files with the same content, for the duplicates report.
  put('media/stills/copy-of-best.jpg', new Uint8Array(Math.round(300_000 * scale)).fill(7), 50);
  put('archive/best.jpg', new Uint8Array(Math.round(300_000 * scale)).fill(7), 60);
}
