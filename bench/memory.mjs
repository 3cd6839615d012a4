// Commits and the sessions they come from, against the checkpoints in a clone of github.com/entireio/cli (PINHOLE_ENTIRE).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildEntry } from './source.mjs';

/** Checkpoints from this day on are not looked at. */
const BEFORE = process.env.PINHOLE_ENTIRE_BEFORE ?? '2026-02-10';
const HOUR_MS = 3_600_000;

export async function run() {
  const clone = process.env.PINHOLE_ENTIRE;
  if (clone === undefined) throw new Error('PINHOLE_ENTIRE must name a clone of github.com/entireio/cli');
  const entry = await buildEntry('memory-entry');
  const work = mkdtempSync(join(tmpdir(), 'pinhole-bench-'));
  try {
    execFileSync(process.execPath, [entry, clone, work, BEFORE], { stdio: ['ignore', 'inherit', 'inherit'] });
    report(JSON.parse(readFileSync(join(work, 'result.json'), 'utf8')));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function report({ commits, sessions, cpuMs, charged }) {
  const known = commits.filter(({ truth }) => truth.length > 0);
  const ofTheTime = known.filter(isOfItsCheckpoint);
  console.log(
    `${sessions} sessions, ${commits.length} commits, linked in ${(cpuMs / 1000).toFixed(1)} s of one processor`,
  );
  line('all commits with a checkpoint', known);
  line('of them made with it: same hour, same files', ofTheTime);
  const bots = commits.filter(({ author }) => /\[bot\]/.test(author));
  console.log(
    `commits of bots with a session: ${bots.filter(({ session }) => session !== null).length} of ${bots.length}`,
  );
  console.log(
    `tokens charged to commits or to none, less those of the sessions: ${charged.sum - charged.total} of ${charged.total}`,
  );
}

/** A checkpoint's id is copied to later commits by rebases and squashes, whose changes may be of other sessions. */
function isOfItsCheckpoint({ created, touched, files, authored_ms, committed_ms }) {
  const near = created.some((at) =>
    [authored_ms, committed_ms].some((ms) => Math.abs(Date.parse(at) - ms) < HOUR_MS),
  );
  const paths = (files ?? '').split('\n').filter(Boolean);
  return (
    near && paths.filter((path) => touched.includes(path)).length * 2 >= paths.length && paths.length > 0
  );
}

function line(label, commits) {
  const linked = commits.filter(({ certainty }) => certainty === 'certain' || certainty === 'likely');
  const right = linked.filter(({ session, truth }) => truth.includes(session));
  const percent = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  console.log(
    `${label}: ${commits.length}, attributed ${percent(linked.length, commits.length)} (target 75), right ${percent(right.length, linked.length)} (target 98)`,
  );
}
