import type { EditIndex, LinkableEdit } from './edit-index.ts';
import type { Commit } from './git/read-commits.ts';
import type { LineRarity } from './line-rarity.ts';

/** What is known about a session besides its edits. */
export interface LinkableSession {
  readonly startMs: number;
  readonly endMs: number;
  /** The name of the home folder it worked in. */
  readonly person: string;
}

/** What is known about all sessions. */
export interface Evidence {
  readonly index: EditIndex;
  readonly rarity: Pick<LineRarity, 'share'>;
  readonly sessions: ReadonlyMap<string, LinkableSession>;
  /** Commits that a session made, according to git's output in it. */
  readonly said: readonly {
    readonly session: string;
    readonly ms: number;
    readonly hash: string;
    readonly subject: string;
  }[];
  /** By person, the authors of commits that their sessions are known to have made. */
  readonly authors: ReadonlyMap<string, ReadonlySet<string>>;
  /** The user of this checkout according to git; undefined if none is set. */
  readonly user?: { readonly name: string; readonly email: string } | undefined;
}

export type Certainty = 'certain' | 'likely' | 'uncertain';

export interface Link {
  readonly session: string;
  readonly certainty: Certainty;
  /** Lines of the commit that the session wrote or removed, out of all distinctive ones. */
  readonly lines: number;
  readonly ofLines: number;
  /** Added lines that the session wrote in the same file, out of all distinctive added ones. */
  readonly written: number;
  readonly ofWritten: number;
  readonly reasons: readonly string[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Edits older than this at the time of the commit are not considered. */
export const MAX_AGE_MS = 30 * 24 * HOUR_MS;
/** Clocks differ, and a commit is written a moment after the edit that completes it. */
export const SLACK_MS = 5 * MINUTE_MS;
/** The most time between a commit and git's output about it. */
export const SAME_MOMENT_MS = 10 * MINUTE_MS;

/**
 * How much an edit counts, by the time between it and the commit. Code is committed soon after it is written; the same
 * line days earlier is usually older code that was moved or written again.
 */
const NEARNESS: readonly (readonly [withinMs: number, weight: number])[] = [
  [3 * HOUR_MS, 1],
  [12 * HOUR_MS, 0.5],
  [48 * HOUR_MS, 0.2],
  [Number.POSITIVE_INFINITY, 0.08],
];
const OTHER_FILE = 0.1;
/** A rebased or amended commit keeps its author date, so later edits are rarely part of it. */
const AFTER_AUTHORED = 0.3;
const REMOVED = 0.5;
const RUNNING = 2;
const FILES_WITHIN_MS = 3 * HOUR_MS;
const SAME_FILES = 0.7;
const OTHER_AUTHOR = 0.3;

/**
 * A link is "likely" if enough lines match that nobody else wrote, clearly more than for any other session, and not too
 * few of all.
 */
const MIN_SCORE = 1.5;
const MIN_LEAD = 1.3;
const MIN_SHARE = 0.015;
/** Without matching lines: it edited every file within this time, the others did not, and it was running. */
const MIN_FILES_SCORE = 1;
const JUST_NOW_MS = HOUR_MS;
const MIN_UNCERTAIN = 0.3;

interface Candidate {
  score: number;
  lines: number;
  /** Added lines that it wrote in the same file. */
  written: number;
  /** Files of the commit that it edited shortly before. */
  files: number;
  /** How long before the commit it last edited one of them. */
  fileMs: number;
  nearestMs: number;
  said?: string;
}

/** The sessions a commit comes from, the most likely first; none for a bot's commit. */
export function linkCommit(commit: Commit, evidence: Evidence): readonly Link[] {
  if (isBot(commit)) return [];
  const { ofLines, ofWritten, candidates } = countLines(commit, evidence);
  for (const [session, reason] of saidBy(commit, evidence)) {
    const known = candidates.get(session) ?? newCandidate();
    known.said = reason;
    candidates.set(session, known);
  }
  countFiles(commit, evidence.index, candidates);
  const ranked = [...candidates]
    .map(([session, candidate]) => ({
      session,
      candidate,
      score: weigh(session, candidate, commit, evidence),
    }))
    .sort(
      (a, b) =>
        Number(b.candidate.said !== undefined) - Number(a.candidate.said !== undefined) || b.score - a.score,
    );
  const [first, second] = ranked;
  if (first === undefined) return [];
  const { session, candidate, score } = first;
  const enough =
    candidate.lines > 0
      ? score >= MIN_SCORE && score >= MIN_SHARE * ofLines
      : score >= MIN_FILES_SCORE && editedAllJustNow(candidate, commit);
  const clear = enough && score >= MIN_LEAD * (second?.score ?? 0);
  const certainty = candidate.said !== undefined ? 'certain' : clear ? 'likely' : 'uncertain';
  if (certainty === 'uncertain' && score < MIN_UNCERTAIN) return [];
  return [
    {
      ...{ session, certainty, lines: candidate.lines, ofLines, written: candidate.written, ofWritten },
      reasons: reasonsFor(candidate, ofLines, commit),
    },
  ];
}

/** People also commit to files a session edited, but rarely to exactly those files, all of them, within the hour. */
function editedAllJustNow({ files, fileMs }: Candidate, commit: Commit): boolean {
  return files === commit.files.length && fileMs <= JUST_NOW_MS;
}

function isBot({ author, email }: Commit): boolean {
  return /\[bot\]|\bbot\b/i.test(author) || /\[bot\]@/i.test(email);
}

const newCandidate = (): Candidate => ({
  ...{ score: 0, lines: 0, written: 0, files: 0 },
  fileMs: Number.POSITIVE_INFINITY,
  nearestMs: Number.POSITIVE_INFINITY,
});

/**
 * Divides each line of the commit among the sessions that wrote it, by how close their edits are in place and time. The
 * more commits have a line, the less it counts.
 */
function countLines(commit: Commit, { index, rarity }: Pick<Evidence, 'index' | 'rarity'>) {
  const candidates = new Map<string, Candidate>();
  let ofLines = 0;
  let ofWritten = 0;
  const share = (hash: number, path: string, isAdded: boolean) => {
    const edits = isAdded ? index.adding(hash) : index.removing(hash);
    const rare = rarity.share(hash, commit.authoredMs);
    ofLines++;
    if (isAdded) ofWritten++;
    const best = new Map<string, { weight: number; distance: number }>();
    const writers = new Set<string>();
    for (const edit of edits) {
      // A file that is rewritten as a whole repeats what was committed before.
      const latest = edit.whole ? commit.authoredMs : commit.committedMs;
      if (edit.ms > latest + SLACK_MS || edit.ms < commit.authoredMs - MAX_AGE_MS) continue;
      if (isAdded && isSameFile(edit.path, path)) writers.add(edit.session);
      const distance = Math.abs(commit.authoredMs - edit.ms);
      const value = (isAdded ? 1 : REMOVED) * nearness(edit, path, commit, distance);
      const known = best.get(edit.session);
      if (known === undefined || known.weight < value) best.set(edit.session, { weight: value, distance });
    }
    const sum = [...best.values()].reduce((total, one) => total + one.weight, 0);
    for (const [session, one] of best) {
      const candidate = candidates.get(session) ?? newCandidate();
      candidate.score += (rare * one.weight * one.weight) / sum;
      candidate.lines++;
      if (writers.has(session)) candidate.written++;
      candidate.nearestMs = Math.min(candidate.nearestMs, one.distance);
      candidates.set(session, candidate);
    }
  };
  for (const { path, addedLines, removedLines } of commit.files) {
    for (const hash of addedLines) share(hash, path, true);
    for (const hash of removedLines) share(hash, path, false);
  }
  return { ofLines, ofWritten, candidates };
}

/**
 * A session that worked on the same files shortly before is evidence too: a formatter, a command or a person may have
 * changed the lines afterwards.
 */
function countFiles(
  { files, authoredMs }: Commit,
  index: EditIndex,
  candidates: Map<string, Candidate>,
): void {
  const touched = new Map<string, { readonly paths: Set<string>; lastMs: number }>();
  for (const { session, path, ms } of index.between(authoredMs - FILES_WITHIN_MS, authoredMs + SLACK_MS)) {
    const file = files.find((each) => isSameFile(path, each.path));
    if (file === undefined) continue;
    const of = touched.get(session) ?? { paths: new Set(), lastMs: ms };
    of.paths.add(file.path);
    of.lastMs = Math.max(of.lastMs, ms);
    touched.set(session, of);
  }
  for (const [session, { paths, lastMs }] of touched) {
    const candidate = candidates.get(session) ?? newCandidate();
    candidate.score += (SAME_FILES * paths.size) / files.length;
    candidate.files = paths.size;
    candidate.fileMs = authoredMs - lastMs;
    candidates.set(session, candidate);
  }
}

function nearness(edit: LinkableEdit, path: string, commit: Commit, distance: number): number {
  const [, near = 0] = NEARNESS.find(([withinMs]) => distance < withinMs) ?? [];
  const place = isSameFile(edit.path, path) ? 1 : OTHER_FILE;
  return near * place * (edit.ms <= commit.authoredMs + SLACK_MS ? 1 : AFTER_AUTHORED);
}

/** Whether a session's path is this file of the repository, in any checkout. */
export function isSameFile(editPath: string, path: string): boolean {
  return editPath === path || editPath.endsWith(`/${path}`);
}

function* saidBy(
  commit: Commit,
  { said, sessions }: Evidence,
): Generator<readonly [session: string, reason: string]> {
  for (const { session, reason } of commit.noted)
    if (session !== undefined && sessions.has(session)) yield [session, `${reason} with this session`];
  for (const { session, ms, hash, subject } of said) {
    if (commit.hash.startsWith(hash)) yield [session, 'it ran the git commit that printed this hash'];
    else if (subject.trim() === commit.subject && Math.abs(ms - commit.authoredMs) < SAME_MOMENT_MS)
      yield [session, 'it ran a git commit with this message at that time'];
  }
}

function weigh(session: string, { score }: Candidate, commit: Commit, evidence: Evidence): number {
  const known = evidence.sessions.get(session);
  if (known === undefined) return score;
  const running = known.startMs <= commit.authoredMs && known.endMs >= commit.authoredMs - 2 * HOUR_MS;
  return score * (running ? RUNNING : 1) * (isForeign(known.person, commit, evidence) ? OTHER_AUTHOR : 1);
}

/** Whether a commit was made by somebody other than the person who ran the session. */
function isForeign(person: string, { author, email }: Commit, { authors, user }: Evidence): boolean {
  const known = authors.get(person);
  if (known !== undefined) return !known.has(author);
  return user !== undefined && author !== user.name && email !== user.email;
}

function reasonsFor({ said, lines, files, nearestMs }: Candidate, ofLines: number, commit: Commit): string[] {
  const reasons = said === undefined ? [] : [said];
  if (lines > 0)
    reasons.push(
      `${lines} of ${ofLines} changed lines are in its edits, the nearest ${spanText(nearestMs)} from the commit`,
    );
  if (files > 0)
    reasons.push(`it edited ${files} of ${commit.files.length} changed files in the hours before`);
  if (commit.files.length === 0) reasons.push('git could not read what the commit changed');
  return reasons;
}

function spanText(ms: number): string {
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return ms < 48 * HOUR_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / (24 * HOUR_MS))} days`;
}

/** The authors of each person's commits, from those that their sessions made according to git's output. */
export function knownAuthors(
  commits: readonly Pick<Commit, 'hash' | 'author'>[],
  { said, sessions }: Pick<Evidence, 'said' | 'sessions'>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const byHash = new Map(commits.map(({ hash, author }) => [hash.slice(0, 7), author]));
  const authors = new Map<string, Set<string>>();
  for (const { hash, session } of said) {
    const author = byHash.get(hash.slice(0, 7));
    const person = sessions.get(session)?.person;
    if (author === undefined || person === undefined || person === '') continue;
    authors.set(person, (authors.get(person) ?? new Set()).add(author));
  }
  return authors;
}
