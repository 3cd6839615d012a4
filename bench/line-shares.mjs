// The share of a commit's added lines that an agent wrote: our figure and Entire's, and why they differ.
const NEAR = 0.1;
const percent = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

/** Prints how often the two figures agree, and the causes when they do not. */
export function sharesOfLines(commits) {
  const compared = distinct(commits).flatMap(
    ({ entire, written, of_written, certainty, added, ...commit }) => {
      const [first] = entire;
      return first === undefined || first.committed === 0 || certainty === 'uncertain' || !of_written
        ? []
        : [
            {
              ...commit,
              ours: written / of_written,
              theirs: Math.min(1, first.agent / first.committed),
              sameScope: Math.abs(first.committed - added) <= Math.max(3, NEAR * added),
            },
          ];
    },
  );
  const same = compared.filter(({ sameScope }) => sameScope);
  say('all commits with Entire’s figures', compared);
  say('those that it counts the same lines for: its total is the added lines of the commit', same);
  say(
    'of these, those whose log is in the clone up to the commit',
    same.filter(({ hasLog }) => hasLog),
  );
  const causes = new Map();
  for (const one of compared) {
    const cause = causeOf(one);
    causes.set(cause, (causes.get(cause) ?? 0) + 1);
  }
  for (const [cause, count] of [...causes].sort(([, a], [, b]) => b - a)) console.log(`  ${count} ${cause}`);
}

function say(label, compared) {
  const near = compared.filter(isNear).length;
  const mean = (pick) => compared.reduce((sum, one) => sum + pick(one), 0) / Math.max(1, compared.length);
  const [ours, theirs] = [mean((one) => one.ours), mean((one) => one.theirs)];
  console.log(
    `share of added lines from the session, ${label}: ${compared.length}; ${percent(ours, 1)} by our count, ${percent(theirs, 1)} by Entire's; equal within 10 points in ${percent(near, compared.length)}`,
  );
}

const isNear = ({ ours, theirs }) => Math.abs(ours - theirs) <= NEAR;

function causeOf(one) {
  if (isNear(one)) return 'equal within 10 points';
  if (!one.sameScope)
    return "other lines: Entire's total is not that of the commit; it counts from the session's first commit, or lines less removed ones";
  if (!one.hasLog) return 'the log in the clone ends before the commit';
  return one.ours > one.theirs
    ? 'Entire gives lines to a person that are, word for word, in earlier edits of the session in the same file'
    : "Entire's picture of the working tree has lines that no edit in the log has: moved, formatted, written by a command";
}

/** A rebase copies a commit with its trailer; the checkpoint belongs to the first copy. */
function distinct(commits) {
  const first = new Map();
  for (const commit of [...commits].sort((a, b) => a.committed_ms - b.committed_ms)) {
    const key = `${commit.authored_ms} ${commit.subject}`;
    if (!first.has(key)) first.set(key, commit);
  }
  return [...first.values()];
}
