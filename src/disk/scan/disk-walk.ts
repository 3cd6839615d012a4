import { readdirSync, realpathSync, statSync } from 'node:fs';
import { float64At } from '../../contract/at.ts';
import { systemCode } from '../../contract/errors.ts';
import { isInside } from '../../contract/roots.ts';
import { type GlobMatch, glob } from '../../glob/glob.ts';
import { changeFolder } from './change-folder.ts';
import type { Entry, EntryBatch } from './entry-batch.ts';
import { ctimeMs, FACT, factReader, keptDetails, keptMtime, toFacts } from './file-facts.ts';
import { type ErrorKind, errorKind, FLAG, KIND, MAX_ERROR_SAMPLES } from './node-kinds.ts';
import { rawText, shownPath } from './raw-text.ts';
import {
  type DirTask,
  type ErrorSample,
  makeRef,
  type WalkOptions,
  type WalkReport,
} from './scanner-frames.ts';

/** Folders of the kernel, which have no data on a disk. */
const VIRTUAL_FOLDERS = new Set(['/proc', '/sys', '/dev']);
const TYPE_MASK = 0o170000;
const TYPE_DIR = 0o040000;
const TYPE_FILE = 0o100000;
const TYPE_LINK = 0o120000;

/** An entry that cannot be read. */
const UNREADABLE: Entry = {
  kind: KIND.other | FLAG.error,
  ...{ size: 0, blocks: 0, mtime: 0, details: 0, owner: 0, ino: 0 },
};

/** A sub-folder seen while reading its parent; it is added later, because files come first in a listing. */
interface SubDir {
  readonly name: string | Buffer;
  readonly facts: Float64Array;
  readonly flags: number;
}

/**
 * Walks folders depth first in a process of its own. It changes into each folder, because short relative lookups cost
 * a quarter less than full paths, and then checks the device and inode, so that a swapped link leads nowhere.
 */
export class Walker {
  readonly #options: WalkOptions;
  readonly #scanner: number;
  readonly #batch: EntryBatch;
  readonly #excluded: ((name: string, dir: DirTask) => boolean) | undefined;
  readonly #facts = factReader();
  readonly #seen: Set<string> | undefined;
  readonly #errors = new Map<ErrorKind, number>();
  readonly #samples: ErrorSample[] = [];
  #stack: DirTask[] = [];
  /** Depth of the working folder, or -1 if it is not on the path of the walk. */
  #cwdDepth = -1;

  constructor(options: WalkOptions, scanner: number, batch: EntryBatch) {
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

  /** Gives away the older half of the waiting folders: those near the root, with the most below them. */
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
      this.#countError(error, dir.path);
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
        // A folder on the way was moved in the meantime; the full path decides.
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
    // A replacement character stands for bytes that are not UTF-8; such names work only as bytes.
    if (names.join('').includes('\ufffd')) names = readdirSync('.', { encoding: 'buffer' });
    const files: (string | Buffer)[] = [];
    const dirs: SubDir[] = [];
    let errors = 0;
    for (const name of names) {
      let flags = this.#excluded?.(String(name), dir) === true ? FLAG.excluded : 0;
      let facts: Float64Array;
      try {
        facts = this.#facts(name);
        if (this.#seen !== undefined) facts = this.#followed(name, facts);
      } catch (error) {
        errors++;
        if (this.#countError(error, `${dir.path}/${name}`) === 'vanished') continue;
        this.#batch.add(UNREADABLE);
        files.push(name);
        continue;
      }
      const type = float64At(facts, FACT.mode) & TYPE_MASK;
      if (type === TYPE_DIR) {
        // The next call overwrites the numbers, so a folder's are copied.
        dirs.push({ name, facts: facts.slice(), flags });
        continue;
      }
      const counted = flags === 0;
      const linkCount = float64At(facts, FACT.nlink);
      const linked = counted && (linkCount > 1 || this.#seen !== undefined);
      if (linked) flags |= FLAG.linked;
      const kind = type === TYPE_FILE ? KIND.file : type === TYPE_LINK ? KIND.symlink : KIND.other;
      this.#add(kind | flags, facts, counted);
      if (linked) this.#batch.link(float64At(facts, FACT.dev), float64At(facts, FACT.ino), linkCount);
      files.push(name);
    }
    this.#names(files);
    const known = dir.known === undefined ? undefined : new Set(dir.known);
    for (const sub of dirs) this.#addDir(dir, sub, known);
    this.#names(dirs.map((sub) => sub.name));
    this.#batch.listing(dir.ref, files.length, dirs.length, errors);
  }

  #add(kind: number, facts: Float64Array, counted: boolean): void {
    const size = counted ? float64At(facts, FACT.size) : 0;
    const blocks = counted ? float64At(facts, FACT.blocks) : 0;
    this.#batch.add({
      kind,
      size,
      blocks,
      mtime: keptMtime(facts),
      details: keptDetails(facts),
      owner: float64At(facts, FACT.uid),
      ino: float64At(facts, FACT.ino) % 2 ** 32,
    });
  }

  #addDir(dir: DirTask, { name, facts, flags: given }: SubDir, known: Set<string> | undefined): void {
    const { oneFileSystem, rootDev, depthLimit } = this.#options;
    const dev = float64At(facts, FACT.dev);
    const raw = typeof name === 'string' ? name : rawText(name);
    const path = dir.path === '/' ? `/${raw}` : `${dir.path}/${raw}`;
    let flags = given;
    if ((oneFileSystem && dev !== rootDev) || VIRTUAL_FOLDERS.has(path)) flags |= FLAG.otherFileSystem;
    else if (dir.depth + 1 === depthLimit) flags |= FLAG.tooDeep;
    const counted = (flags & (FLAG.excluded | FLAG.otherFileSystem)) === 0;
    this.#add(KIND.dir | flags, facts, counted);
    const ref = makeRef(this.#scanner, this.#batch.dirTime(ctimeMs(facts)));
    // Folders below the depth limit are read as well, because they count in the totals.
    if ((flags & ~FLAG.tooDeep) !== 0 || known?.has(raw) === true || this.#alreadyEntered(facts)) return;
    this.#stack.push({ ref, path, dev, ino: float64At(facts, FACT.ino), depth: dir.depth + 1 });
  }

  #names(names: readonly (string | Buffer)[]): void {
    if (names.every((name) => typeof name === 'string')) this.#batch.name(names);
    else this.#batch.rawName(names.map((name) => (typeof name === 'string' ? Buffer.from(name) : name)));
  }

  /** The facts about the target of a link if it may be followed, otherwise those about the entry itself. */
  #followed(name: string | Buffer, facts: Float64Array): Float64Array {
    if ((float64At(facts, FACT.mode) & TYPE_MASK) !== TYPE_LINK) return facts;
    const own = facts.slice();
    try {
      const path = realpathSync(name);
      const { allowed, root } = this.#options;
      // A target inside the root counts where it is; one that contains the root would be a loop.
      if (isInside(path, root) || isInside(root, path)) return own;
      return allowed.some((folder) => isInside(path, folder)) ? toFacts(statSync(name)) : own;
    } catch {
      return own;
    }
  }

  /** True for a folder that was already entered through another link. */
  #alreadyEntered(facts: Float64Array): boolean {
    if (this.#seen === undefined) return false;
    const key = `${facts[FACT.dev]}:${facts[FACT.ino]}`;
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }

  #countError(error: unknown, path: string): ErrorKind {
    const code = systemCode(error);
    const kind = code === 'REPLACED' ? 'replaced' : errorKind(code);
    this.#errors.set(kind, (this.#errors.get(kind) ?? 0) + 1);
    if (this.#samples.length < MAX_ERROR_SAMPLES) this.#samples.push({ path: shownPath(path), kind });
    return kind;
  }
}

/** Patterns with a slash match paths below the root, others match names. */
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
    byName.some((matches) => matches(name)) ||
    (byPath.length > 0 && byPath.some((matches) => matches(`${dir.path}/${name}`.slice(prefix))));
}
