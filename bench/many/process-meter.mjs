// Memory and CPU time of a process and all that it started.
import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_MS = 200;
const TICKS_PER_SECOND = 100;

export class ProcessMeter {
  /** The most that all processes had at once, in bytes. */
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

  /** Proportional memory of all processes: what two of them share counts once. */
  now() {
    return this.#family().reduce((sum, pid) => sum + proportional(pid), 0);
  }

  /** Seconds since now, by the clock and by the CPU. */
  watch() {
    const began = performance.now();
    const used = this.#cpu();
    return () => ({ seconds: (performance.now() - began) / 1000, cpu: this.#cpu() - used });
  }

  /** Ended children are in their parent's numbers. */
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

/** Fields of /proc/PID/stat, from 0; the command's name may have spaces. */
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
