import { basename, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import './counted.ts';
import { type Kept, type Row, readKept, writeKept } from './document.ts';

/** A file with more rows than this is shown as a single row. */
const MAX_ROWS = 50;

/** Prints how often each attack or fault was tried and held; `PINHOLE_RELIABILITY=write` also writes the document. */
export default class ReliabilityReporter implements Reporter {
  readonly #part: Row['part'];

  constructor(part: Row['part']) {
    this.#part = part;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const day = new Date().toISOString().slice(0, 10);
    const rows = modules.flatMap((module) => this.#rows(module, day));
    const tables = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => test.meta().tables ?? []),
    );
    for (const { kind, what, tried, held } of rows)
      console.log(`${String(held).padStart(7)} of ${String(tried).padEnd(7)} ${kind}: ${what}`);
    for (const table of tables) console.log(`\n${table}`);
    if (process.env.PINHOLE_RELIABILITY !== 'write' || rows.length === 0) return;
    const kept = readKept();
    // If only part of a file ran (`-t`), its other rows stay.
    const whole = new Set(modules.filter((module) => !hasSkipped(module)).map((module) => fileOf(module)));
    const ran = new Set(rows.map(({ file, what }) => `${file}\n${what}`));
    const isReplaced = ({ part, file, what }: Row) =>
      part === this.#part && (whole.has(file) || ran.has(`${file}\n${what}`));
    const next: Kept = {
      rows: [...kept.rows.filter((row) => !isReplaced(row)), ...rows],
      tables: tables.length > 0 ? tables : kept.tables,
      soak: kept.soak,
    };
    writeKept(next);
  }

  #rows(module: TestModule, day: string): Row[] {
    const file = fileOf(module);
    const kind = basename(file)
      .replace(/\.(?:attacks|faults|test)\.ts$/, '')
      .replaceAll('-', ' ');
    const byName = new Map<string, Row>();
    for (const test of module.children.allTests()) {
      const state = test.result().state;
      if (state === 'skipped' || state === 'pending') continue;
      const { tried = 1, held = state === 'passed' ? 1 : 0, counts } = test.meta();
      const name = shortName(test.fullName);
      const parts = counts === undefined ? { '': { tried, held } } : counts;
      for (const [part, count] of Object.entries(parts)) {
        const what = part === '' ? name : `${name}: ${part}`;
        const before = byName.get(what);
        byName.set(what, {
          ...{ part: this.#part, kind, what, file, day },
          tried: count.tried + (before?.tried ?? 0),
          held:
            (state === 'passed' ? count.held : Math.min(count.held, count.tried - 1)) + (before?.held ?? 0),
        });
      }
    }
    return byName.size > MAX_ROWS ? [this.#together([...byName.values()])] : [...byName.values()];
  }

  /** One row for a file whose tests are the cases of a long list. */
  #together(rows: readonly Row[]): Row {
    const sum = (field: 'tried' | 'held') => rows.reduce((total, row) => total + row[field], 0);
    const [{ kind = '', file = '', day = '' } = {}] = rows;
    const what = `all ${rows.length} cases`;
    return { part: this.#part, kind, what, file, day, tried: sum('tried'), held: sum('held') };
  }
}

const fileOf = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId);

const hasSkipped = ({ children }: TestModule) =>
  [...children.allTests()].some((test) => ['skipped', 'pending'].includes(test.result().state));

/** The cases of one test share a row: their names only differ in numbers, temporary folders and the part after a colon. */
function shortName(name: string): string {
  return name
    .replace(/: .*$/s, '')
    .replace(/\/tmp\/pinhole-[\w-]+/g, 'FOLDER')
    .replace(/\b\d[\d,_]*\b/g, 'N');
}
