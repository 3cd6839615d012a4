import { float64At } from '../../contract/at.ts';
import { ctimeMs, FACT, factReader } from '../scan/file-facts.ts';
import type { PlanItem } from './clean-up-plan.ts';

type File = Pick<PlanItem, 'dev' | 'ino'>;

interface Change {
  /** The change time before the first name was moved, and after the last one, in milliseconds. */
  readonly was: number;
  readonly now: number;
}

/**
 * Moving one name of a file changes the change time of all its names. They do not count as changed by someone else as
 * long as only our own moves changed them.
 */
export class OwnMoves {
  readonly #read = factReader();
  readonly #changes = new Map<string, Change>();

  /** Moves one name of a file; `move` returns where it is afterwards. */
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

  /** True if only our own moves have changed a file. */
  explain(file: File & Pick<PlanItem, 'path'>): boolean {
    return this.#changes.get(key(file))?.now === ctimeMs(this.#read(file.path));
  }
}

function key({ dev, ino }: { readonly dev: unknown; readonly ino: unknown }): string {
  return `${Number(dev)} ${Number(ino)}`;
}
