// Memory and CPU time of a process and all its descendants.
import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_MS = 200;
const TICKS_PER_SECOND = 100;

export class ProcessMeter {
  /** Peak memory of all processes together, in bytes. */
  peak = 0;
  #pid;
  #timer;

  constructor(pid) {
    this.#pid = pid;
    this.#timer = setInterval(() => {
      this.peak = Math.max(this.peak, this.now());
    }, SAMPLE_MS);
  }

  reset() {
    this.peak = this.now();
  }

  stop() {
    clearInterval(this.#timer);
  }

  /** Proportional memory of all processes: shared memory counts once. */
  now() {
    return this.#family().reduce((sum, pid) => sum + proportional(pid), 0);
  }

  /** Starts a stopwatch for wall and CPU time, in seconds. */
  watch() {
    const began = performance.now();
    const used = this.#cpu();
    return () => ({ seconds: (performance.now() - began) / 1000, cpu: this.#cpu() - used });
  }

  /** A parent's figures include its ended children. */
  #cpu() {
    let ticks = 0;
    for (const pid of this.#family()) {
      const [, , , , , , , , , , , , , user = 0, system = 0, childUser = 0, childSystem = 0] = fields(pid);
      ticks += Number(user) + Number(system) + Number(childUser) + Number(childSystem);
    }
    return ticks / TICKS_PER_SECOND;
  }

  #family() {
    const parents = new Map();
    for (const name of readdirSync('/proc'))
      if (/^\d+$/.test(name)) parents.set(Number(name), Number(fields(name)[3]));
    const family = [this.#pid];
    for (const pid of family) for (const [child, parent] of parents) if (parent === pid) family.push(child);
    return family;
  }
}

/** Fields of /proc/PID/stat, from 0; the command name may contain spaces. */
function fields(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return [String(pid), '', ...text.slice(text.lastIndexOf(')') + 2).split(' ')];
  } catch {
    return [];
  }
}

function proportional(pid) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
