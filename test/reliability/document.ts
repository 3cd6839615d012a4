import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { TRIES, type Try } from './tries.ts';

/** How often one attack or fault was tried, and how often Pinhole held. */
export interface Row {
  readonly part: 'attacks' | 'faults';
  readonly kind: string;
  readonly what: string;
  readonly file: string;
  readonly day: string;
  readonly tried: number;
  readonly held: number;
}

/** What the last runs found. */
export interface Kept {
  readonly rows: readonly Row[];
  readonly tables: readonly string[];
  readonly soak: readonly string[];
}

const DATA = resolve('docs/reliability.json');
const DOCUMENT = resolve('docs/reliability.md');

export function readKept(): Kept {
  return existsSync(DATA) ? JSON.parse(readFileSync(DATA, 'utf8')) : { rows: [], tables: [], soak: [] };
}

export function writeKept(kept: Kept): void {
  writeFileSync(DATA, `${JSON.stringify(kept, undefined, 2)}\n`);
  writeFileSync(DOCUMENT, documentOf(kept));
}

const number = (value: number) => value.toLocaleString('en-US');

function documentOf({ rows, tables, soak }: Kept): string {
  const tried = rows.reduce((sum, row) => sum + row.tried, 0);
  const held = rows.reduce((sum, row) => sum + row.held, 0);
  return [
    '# Attacks and faults',
    'This page is written by the tests. `docs/reliability.json` has the same figures.',
    [
      '```sh no-run',
      'npm run test:attacks       # an attacker in a loop',
      'npm run test:faults        # damage, kills, sizes, clocks',
      'npm run test:network       # every operation through every door under strace',
      'npm run soak               # 50 clients for 30 minutes, with edits, indexing and kills; writes its part of this page',
      'npm run reliability        # the first two, and writes this page',
      '```',
    ].join('\n'),
    'Environment variables make runs longer: `PINHOLE_KILLS` (kills), `PINHOLE_SWAPS` (swaps per way of reading), `PINHOLE_FUZZ` (random calls per kind), `PINHOLE_FILES`, `PINHOLE_CONNECTIONS`, `PINHOLE_SECRETS` (secrets per kind and door), `PINHOLE_SOAK_MINUTES`, `PINHOLE_SOAK_KILLS`, `PINHOLE_SOAK_RATE` (calls per second). `PINHOLE_CORPORA` names folders of real source, separated by colons, on which redaction must change nothing without cause.',
    `In all: ${number(tried)} tries, ${number(held)} held.`,
    '## Attacks',
    tableOf(rows.filter(({ part }) => part === 'attacks')),
    '## Faults',
    tableOf(rows.filter(({ part }) => part === 'faults')),
    '## By what was tried',
    'Attacks and faults that were once thought out by hand, with the tests that try them again. A result of `no run` was not part of the last runs.',
    tryTable(rows),
    ...(tables.length > 0 ? ['## Redaction', ...tables] : []),
    ...(soak.length > 0 ? ['## Soak', ...soak] : []),
    '',
  ].join('\n\n');
}

/** The rows of the tests that repeat an attack or fault. */
export function rowsOf({ tests }: Try, rows: readonly Row[]): readonly (readonly Row[])[] {
  return tests.map(([file, name = '']) =>
    rows.filter((row) => row.file === file && row.what.replaceAll(' > ', ' ').startsWith(name)),
  );
}

/** Whether at least the promised share held. */
export function isHeld({ least = 1 }: Try, rows: readonly Row[]): boolean {
  return rows.length > 0 && rows.every(({ tried, held }) => held >= tried * least);
}

function tryTable(rows: readonly Row[]): string {
  let number = 0;
  const lines = Object.entries(TRIES).flatMap(([area, tries]) =>
    tries.map((one) => {
      const found = rowsOf(one, rows);
      const all = found.flat();
      const tried = all.reduce((sum, row) => sum + row.tried, 0);
      const held = all.reduce((sum, row) => sum + row.held, 0);
      const result = found.some((of) => of.length === 0)
        ? 'no run'
        : `${isHeld(one, all) ? 'held' : '**not held**'}${held < tried ? ` (${held} of ${tried})` : ''}${one.open ? `: ${one.open}` : ''}`;
      const files = [...new Set(one.tests.map(([file]) => file))];
      const links = files.map((file) => `[${basename(file)}](../${file})`).join(', ');
      return `| ${++number} | ${area} | ${one.tried} | ${links} | ${result} |`;
    }),
  );
  return ['| | area | tried | tests | result |', '|---|---|---|---|---|', ...lines].join('\n');
}

function tableOf(rows: readonly Row[]): string {
  const lines = [...rows]
    .sort((a, b) => a.kind.localeCompare(b.kind))
    .map(
      ({ kind, what, tried, held, day, file }) =>
        `| [${kind}](../${file}) | ${what.replaceAll('|', '\\|')} | ${number(tried)} | ${number(held)} | ${day} |`,
    );
  return ['| kind | what | tried | held | on |', '|---|---|---|---|---|', ...lines].join('\n');
}
