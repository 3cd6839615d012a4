/** A commit that git says it made. */
export interface SaidCommit {
  readonly hash: string;
  readonly subject: string;
}

/** Commands after which git says what it committed. */
const COMMITTING = /\bgit\b[^\n|;&]*\b(?:commit|rebase|cherry-pick|revert|merge|am)\b/;
/** `[main 1a2b3c4] fix: …`, `[main (root-commit) 1a2b3c4] …`, `[detached HEAD 1a2b3c4] …`. */
const SAID = /^\[(?:[^\]\n]+ )?([0-9a-f]{7,40})\] (.+)$/gm;

export function mayCommit(command: string): boolean {
  return COMMITTING.test(command);
}

/** The commits that the output of such a command names. */
export function saidCommits(output: string, redact: (text: string) => string): readonly SaidCommit[] {
  return [...output.matchAll(SAID)].map(([, hash = '', subject = '']) => ({
    hash,
    subject: redact(subject.trim()),
  }));
}
