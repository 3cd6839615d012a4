// What Pinhole remembers, against the checkpoints in a clone of github.com/entireio/cli (PINHOLE_ENTIRE): commits and the
// sessions they come from, and replays of compactions and errors. PINHOLE_LOGS names a folder of logs with more compactions,
// PINHOLE_LOCOMO the file locomo10.json of github.com/snap-research/LoCoMo, PINHOLE_SCALE a clone with 10,000 commits.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharesOfLines } from './line-shares.mjs';
import { networkCalls } from './network-calls.mjs';
import { buildEntry, root } from './source.mjs';

/** Checkpoints from this day on are ignored. */
const BEFORE = process.env.PINHOLE_ENTIRE_BEFORE ?? '2026-02-10';
const HOUR_MS = 3_600_000;

export async function run() {
  const clone = process.env.PINHOLE_ENTIRE;
  if (clone === undefined) throw new Error('PINHOLE_ENTIRE must name a clone of github.com/entireio/cli');
  const entry = await buildEntry('memory-entry');
  const work = mkdtempSync(join(tmpdir(), 'pinhole-bench-'));
  try {
    const others = [process.env.PINHOLE_LOGS ?? '', process.env.PINHOLE_LOCOMO ?? ''];
    execFileSync(process.execPath, [entry, clone, work, BEFORE, ...others], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const result = JSON.parse(readFileSync(join(work, 'result.json'), 'utf8'));
    report(result);
    network(work, result.recallable);
    if (process.env.PINHOLE_SCALE !== undefined) await scale(process.env.PINHOLE_SCALE, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Many commits and sessions. */
async function scale(clone, work) {
  const place = join(work, 'scale');
  mkdirSync(place);
  const entry = await buildEntry('link-scale');
  const text = execFileSync(process.execPath, [entry, clone, place], { encoding: 'utf8' });
  const {
    commits,
    sessions,
    edits,
    truth,
    right,
    people,
    peopleLinked,
    peak,
    first,
    unchanged,
    oneCommit,
    oneSession,
  } = JSON.parse(text);
  console.log(
    `${commits} commits, ${sessions} sessions, ${edits} edits: linked in ${first.cpuMs} ms of one processor, at most ${peak} MB; asked again ${unchanged.cpuMs} ms, one new commit ${oneCommit.cpuMs} ms, one new session ${oneSession.cpuMs} ms; ${right} of ${truth} commits of sessions linked with theirs, ${peopleLinked} of ${people} commits of people linked (${percent(peopleLinked, people)})`,
  );
}

const percent = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

/** Looking up what is remembered must not use the network. */
function network(work, session) {
  const env = {
    ...{ PATH: process.env.PATH, HOME: work, CLAUDE_CONFIG_DIR: join(work, 'claude') },
    PINHOLE_HOME: join(work, 'home'),
  };
  const counted = networkCalls(
    join(root, 'dist', 'main.js'),
    [
      ['sessions', 'recall', session],
      ['sessions', 'brief', session],
      ['sessions', 'how-fixed', 'undefined: parseFlags'],
      ['blame', join(work, 'checkout', 'README.md:3')],
      ['sessions', 'search', '--meaning', 'where we chose the format of checkpoints'],
    ],
    env,
    work,
  );
  if (counted === undefined) console.log('calls to the network: not counted, strace is not installed');
  else
    for (const { command, ok, internet, calls } of counted)
      console.log(
        `calls to the Internet by pinhole ${command}: ${internet} of ${calls} about sockets${ok ? '' : ' (it failed)'} (target 0)`,
      );
}

function report({ commits, sessions, cpuMs, charged, compactions, fixes, meant, chat, blame }) {
  const known = commits.filter(({ truth }) => truth.length > 0);
  const ofTheTime = known.filter(isOfItsCheckpoint);
  console.log(
    `${sessions} sessions, ${commits.length} commits, linked in ${(cpuMs / 1000).toFixed(1)} s of one processor`,
  );
  line('all commits with a checkpoint', known);
  line('of them made with it: same hour, same files', ofTheTime);
  line(
    '  of these, those whose log is in the clone up to the commit',
    ofTheTime.filter(({ hasLog }) => hasLog),
  );
  const bots = commits.filter(({ author }) => /\[bot\]/.test(author));
  console.log(
    `commits of bots with a session: ${bots.filter(({ session }) => session !== null).length} of ${bots.length}`,
  );
  console.log(
    `tokens charged to commits or to none, less those of the sessions: ${charged.sum - charged.total} of ${charged.total}`,
  );
  const share = (kind) => `${kind} ${percent(charged[kind], charged.total)}`;
  console.log(
    `of them ${share('committed')}; wasted: ${['failed', 'reverted', 'lost'].map(share).join(', ')}`,
  );
  sharesOfLines(commits);
  console.log(
    `blame, ${blame.lines} random lines: ${blame.cpuMs.toFixed(0)} ms of one processor each (target 50), ${blame.gitMs.toFixed(0)} of them git's; by the clock half within ${blame.medianMs.toFixed(0)} ms, 95 % within ${blame.p95Ms.toFixed(0)} ms; at most ${blame.maxBytes} bytes (target 2,000); ${blame.withSession} lines have a session; commits and edits read in ${(blame.coldMs / 1000).toFixed(1)} s of one processor`,
  );
  recalled('compactions of these sessions', compactions.real);
  recalled('  of the project with most of them', compactions.halves[0]);
  recalled('  of all other projects', compactions.halves[1]);
  if (compactions.made) recalled('compactions of the logs in PINHOLE_LOGS', compactions.made);
  errors(fixes);
  console.log(
    `sessions by meaning, ${meant.questions} questions in other words than the session's: hit@1 ${percent(meant.hit1, meant.questions)}, hit@5 ${percent(meant.hit5, meant.questions)}`,
  );
  if (chat)
    console.log(
      `LoCoMo, ${chat.questions} questions: hit@1 ${percent(chat.hit1, chat.questions)} (deja-vu 69.6), hit@5 ${percent(chat.hit5, chat.questions)} (85.7), MRR ${(chat.mrr / chat.questions).toFixed(3)} (0.766), ${chat.ms.toFixed(1)} ms of one processor per question`,
    );
}

/** A file is named by its path, a command by its program and subcommand: nobody could know its arguments in advance. */
function recalled(label, { compactions, bytes, files, commands }) {
  const share = ({ named, wanted }) => `${percent(named, wanted)} of ${wanted}`;
  const known = ({ knownNamed, known: all }) => `${percent(knownNamed, all)} of ${all}`;
  const all = percent(files.named + commands.named, files.wanted + commands.wanted);
  console.log(
    `${label}: ${compactions}; named of the next 20 actions ${all} (target 90): files ${share(files)}, commands ${share(commands)}; of those that the session had touched or run before: files ${known(files)}, commands ${known(commands)}; at most ${bytes} bytes`,
  );
}

function errors(fixes) {
  const { recurring, vague, vagueAnswers, hits, withEdits, sameFile, toThePoint, unseen, unseenAnswers } =
    fixes;
  const { labelled, sameKind, possible } = fixes;
  const named = recurring - vague;
  console.log(
    `errors that recur: ${recurring}, of them ${vague} that name nothing (a package, FAIL) with ${vagueAnswers} answers; the other ${named}: hit@1 ${percent(hits, named)} (target 70): the first answer is the same failure`,
  );
  console.log(
    `  ${withEdits} of them where both sessions edited files: the edit shown first is at the place of the error or names it in ${percent(toThePoint, withEdits)}; of ${labelled} read by hand, the fix is of the same kind in ${percent(sameKind, labelled)}, of ${possible} that have an earlier fix of that kind in ${percent(sameKind, possible)}; in the same file ${percent(sameFile, withEdits)}`,
  );
  console.log(`  answers to ${unseen} errors never seen: ${unseenAnswers} (target 0)`);
}

/** Rebases and squashes copy a checkpoint's id to later commits, whose changes may come from other sessions. */
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
  console.log(
    `${label}: ${commits.length}, attributed ${percent(linked.length, commits.length)} (target 75), right ${percent(right.length, linked.length)} (target 98)`,
  );
}
