import { readdirSync, realpathSync, statSync } from 'node:fs';
import { systemCode } from '../../contract/errors.ts';
import { isInside } from '../../contract/roots.ts';
import { type GlobMatch, glob } from '../../glob/glob.ts';
import { changeFolder } from './change-folder.ts';
import type { Batch } from './entry-batch.ts';
import { ctimeMs, FACT, factReader, keptMtime, toFacts } from './file-facts.ts';
import { type ErrorKind, errorKind, FLAG, KIND } from './node-kinds.ts';
import { rawText, shownPath } from './raw-text.ts';
import {
  type DirTask,
  type ErrorSample,
  makeRef,
  type WalkOptions,
  type WalkReport,
} from './scanner-frames.ts';

const MOST_SAMPLES = 20;
/** Folders of the kernel, which hold no data on any disk. */
const MADE_UP = new Set(['/proc', '/sys', '/dev']);
const TYPE_MASK = 0o170000;
const TYPE_DIR = 0o040000;
const TYPE_FILE = 0o100000;
const TYPE_LINK = 0o120000;

/** A sub-folder seen while reading its parent, kept back because files come first in a listing. */
interface SubDir {
  readonly name: string | Buffer;
  readonly facts: Float64Array;
  readonly flags: number;
}

/**
 * Walks folders depth first in a process of its own. It changes into each folder, because the short
 * relative look-ups that follow cost a quarter less than full paths, and then makes sure by device and
 * inode that it arrived where it meant to go, so that a swapped link leads nowhere.
 */
export class Walker {
  readonly #options: WalkOptions;
  readonly #scanner: number;
  readonly #batch: Batch;
  readonly #excluded: ((name: string, dir: DirTask) => boolean) | undefined;
  readonly #facts = factReader();
  readonly #seen: Set<string> | undefined;
  readonly #errors = new Map<ErrorKind, number>();
  readonly #samples: ErrorSample[] = [];
  #stack: DirTask[] = [];
  /** Depth of the working folder while it lies on the way of the walk. */
  #cwdDepth = -1;

  constructor(options: WalkOptions, scanner: number, batch: Batch) {
    this.#options = options;
    this.#scanner = scanner;
    this.#batch = batch;
    this.#excluded = excluder(options);
    // Only followed links can lead to a folder twice.
    this.#seen = options.followSymlinks ? new Set() : undefined;
  }

  get pending(): number {
    return this.#stack.length;
  }

  get report(): WalkReport {
    return { errors: Object.fromEntries(this.#errors), samples: this.#samples };
  }

  push(dirs: readonly DirTask[]): void {
    this.#stack.push(...dirs);
    this.#cwdDepth = -1;
  }

  /** Gives the older half of the waiting folders away: those near the root, with the most below them. */
  give(): DirTask[] {
    const half = Math.floor(this.#stack.length / 2);
    return this.#stack.splice(0, half);
  }

  /** Reads the next folder. */
  step(): void {
    const dir = this.#stack.pop();
    if (dir === undefined) return;
    try {
      this.#enter(dir);
      this.#read(dir);
    } catch (error) {
      this.#cwdDepth = -1;
      this.#count(error, dir.path);
      this.#batch.listing(dir.ref, 0, 0, 1);
    }
  }

  #enter(dir: DirTask): void {
    const ups = this.#cwdDepth - dir.depth + 1;
    if (this.#cwdDepth >= 0 && ups >= 0) {
      const name = dir.path.slice(dir.path.lastIndexOf('/') + 1);
      try {
        changeFolder('../'.repeat(ups) + name);
        if (this.#arrived(dir)) return;
      } catch {
        // The way was moved meanwhile; the full path decides.
      }
    }
    changeFolder(dir.path);
    if (!this.#arrived(dir)) throw Object.assign(new Error('replaced'), { code: 'REPLACED' });
  }

  #arrived(dir: DirTask): boolean {
    const here = this.#facts('.');
    if (here[FACT.ino] !== dir.ino || here[FACT.dev] !== dir.dev) return false;
    this.#cwdDepth = dir.depth;
    return true;
  }

  #read(dir: DirTask): void {
    let names: readonly (string | Buffer)[] = readdirSync('.');
    // A replaced character stands for bytes that are not UTF-8: such names only work as bytes.
    if (names.join('').includes('\ufffd')) names = readdirSync('.', { encoding: 'buffer' });
    const files: (string | Buffer)[] = [];
    const dirs: SubDir[] = [];
    let errors = 0;
    for (let i = 0; i < names.length; i++) {
      const name = names[i] ?? '';
      let flags = this.#excluded?.(String(name), dir) === true ? FLAG.excluded : 0;
      let facts: Float64Array;
      try {
        facts = this.#facts(name);
        if (this.#seen !== undefined) facts = this.#followed(name, facts);
      } catch (error) {
        errors++;
        if (this.#count(error, `${dir.path}/${name}`) === 'vanished') continue;
        this.#batch.add(KIND.other | FLAG.error, 0, 0, 0, 0, 0);
        files.push(name);
        continue;
      }
      const type = (facts[FACT.mode] ?? 0) & TYPE_MASK;
      if (type === TYPE_DIR) {
        // The numbers are those of the next call then: a folder's are kept.
        dirs.push({ name, facts: facts.slice(), flags });
        continue;
      }
      const counted = flags === 0;
      const linkCount = facts[FACT.nlink] ?? 1;
      const linked = counted && (linkCount > 1 || this.#seen !== undefined);
      if (linked) flags |= FLAG.linked;
      const kind = type === TYPE_FILE ? KIND.file : type === TYPE_LINK ? KIND.symlink : KIND.other;
      this.#add(kind | flags, facts, counted);
      if (linked) this.#batch.link(facts[FACT.dev] ?? 0, facts[FACT.ino] ?? 0, linkCount);
      files.push(name);
    }
    this.#names(files);
    const known = dir.known === undefined ? undefined : new Set(dir.known);
    for (const sub of dirs) this.#addDir(dir, sub, known);
    this.#names(dirs.map((sub) => sub.name));
    this.#batch.listing(dir.ref, files.length, dirs.length, errors);
  }

  #add(kind: number, facts: Float64Array, counted: boolean): void {
    const size = counted ? (facts[FACT.size] ?? 0) : 0;
    const blocks = counted ? (facts[FACT.blocks] ?? 0) : 0;
    this.#batch.add(
      kind,
      size,
      blocks,
      keptMtime(facts),
      facts[FACT.uid] ?? 0,
      (facts[FACT.ino] ?? 0) % 2 ** 32,
    );
  }

  #addDir(dir: DirTask, { name, facts, flags: given }: SubDir, known: Set<string> | undefined): void {
    const { oneFileSystem, rootDev, depthLimit } = this.#options;
    const dev = facts[FACT.dev] ?? 0;
    const raw = typeof name === 'string' ? name : rawText(name);
    const path = dir.path === '/' ? `/${raw}` : `${dir.path}/${raw}`;
    let flags = given;
    if ((oneFileSystem && dev !== rootDev) || MADE_UP.has(path)) flags |= FLAG.otherFileSystem;
    else if (dir.depth + 1 === depthLimit) flags |= FLAG.tooDeep;
    const counted = (flags & (FLAG.excluded | FLAG.otherFileSystem)) === 0;
    this.#add(KIND.dir | flags, facts, counted);
    const ref = makeRef(this.#scanner, this.#batch.dirTime(ctimeMs(facts)));
    // What is below the limit is read as well: it counts.
    if ((flags & ~FLAG.tooDeep) !== 0 || known?.has(raw) === true || this.#again(facts)) return;
    this.#stack.push({ ref, path, dev, ino: facts[FACT.ino] ?? 0, depth: dir.depth + 1 });
  }

  #names(names: readonly (string | Buffer)[]): void {
    if (names.every((name) => typeof name === 'string')) this.#batch.name(names);
    else this.#batch.rawName(names.map((name) => (typeof name === 'string' ? Buffer.from(name) : name)));
  }

  /** The facts behind a link when it may be followed, else those of the entry itself. */
  #followed(name: string | Buffer, facts: Float64Array): Float64Array {
    if (((facts[FACT.mode] ?? 0) & TYPE_MASK) !== TYPE_LINK) return facts;
    const own = facts.slice();
    try {
      const path = realpathSync(name);
      const { allowed, root } = this.#options;
      // What lies under the root is counted where it lies; what holds the root would be a loop.
      if (isInside(path, root) || isInside(root, path)) return own;
      return allowed.some((folder) => isInside(path, folder)) ? toFacts(statSync(name)) : own;
    } catch {
      return own;
    }
  }

  /** True for a folder that was entered before by way of another link. */
  #again(facts: Float64Array): boolean {
    if (this.#seen === undefined) return false;
    const key = `${facts[FACT.dev]}:${facts[FACT.ino]}`;
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }

  #count(error: unknown, path: string): ErrorKind {
    const code = systemCode(error);
    const kind = code === 'REPLACED' ? 'replaced' : errorKind(code);
    this.#errors.set(kind, (this.#errors.get(kind) ?? 0) + 1);
    if (this.#samples.length < MOST_SAMPLES) this.#samples.push({ path: shownPath(path), kind });
    return kind;
  }
}

/** Patterns with a slash fit paths below the root, others fit names. */
function excluder(options: WalkOptions): ((name: string, dir: DirTask) => boolean) | undefined {
  if (options.exclude.length === 0) return undefined;
  const byName: GlobMatch[] = [];
  const byPath: GlobMatch[] = [];
  for (const pattern of options.exclude) {
    if (pattern.includes('/')) byPath.push(glob(pattern.replace(/^\//, '').replace(/\/$/, '')));
    else byName.push(glob(pattern));
  }
  const prefix = options.root === '/' ? 1 : options.root.length + 1;
  return (name, dir) =>
    byName.some((fits) => fits(name)) ||
    (byPath.length > 0 && byPath.some((fits) => fits(`${dir.path}/${name}`.slice(prefix))));
}
