import { float64At } from '../../contract/at.ts';
import { ctimeMs, FACT, factReader } from '../scan/file-facts.ts';
import type { PlanItem } from './clean-up-plan.ts';

type File = Pick<PlanItem, 'dev' | 'ino'>;

interface Change {
  /** When the file had changed last before its first name was moved, and after the last one, in milliseconds. */
  readonly was: number;
  readonly now: number;
}

/**
 * Moving one name of a file changes the file, and its other names tell so: they are not taken for changed by someone
 * else as long as nothing but our own moves happened to it.
 */
export class OwnMoves {
  readonly #read = factReader();
  readonly #changes = new Map<string, Change>();

  /** Moves one name of a file; `move` returns where it is then. */
  async during(item: File & Pick<PlanItem, 'path'>, move: () => Promise<string>): Promise<void> {
    const facts = this.#read(item.path);
    const shared = float64At(facts, FACT.nlink) > 1;
    const was = this.plannedTime(item, ctimeMs(facts));
    const moved = await move();
    if (shared) this.#changes.set(key(item), { was, now: ctimeMs(this.#read(moved)) });
  }

  /** The change time that a file would have without our own moves. */
  plannedTime(file: { readonly dev: unknown; readonly ino: unknown }, now: number): number {
    const change = this.#changes.get(key(file));
    return change?.now === now ? change.was : now;
  }

  /** True when all that changed a file since is our own moves. */
  explain(file: File & Pick<PlanItem, 'path'>): boolean {
    return this.#changes.get(key(file))?.now === ctimeMs(this.#read(file.path));
  }
}

function key({ dev, ino }: { readonly dev: unknown; readonly ino: unknown }): string {
  return `${Number(dev)} ${Number(ino)}`;
}
