import { usePages } from '../data/use-pages.ts';
import { countOf, moneyText, shortCount } from '../ui/format.ts';
import { MoreRows } from '../ui/more-rows.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';

/** The commits a session made, and what each one cost. */
export function SessionCommits({
  session,
  folder,
}: {
  readonly session: string;
  readonly folder: string | undefined;
}) {
  const pages = usePages(
    'commit_sessions',
    { of: session, path: folder, limit: 100 },
    (data) => data.commits,
  );
  if (pages.error && pages.rows.length === 0)
    // Outside a repository there is nothing to retry.
    return pages.error.code === 'not_found' ? (
      <p class="hint-line">{pages.error.message}</p>
    ) : (
      <Failure error={pages.error} retry={pages.reload} />
    );
  if (pages.first === undefined) return <Skeleton lines={5} />;
  const rest = pages.first.data.not_committed;
  return (
    <>
      {pages.rows.length === 0 && <p class="hint-line">No commit is known to come from this session.</p>}
      <ul class="rows fact-list commit-list">
        {pages.rows.map((commit) => (
          <li key={commit.commit}>
            <span class="cut" title={commit.subject}>
              {commit.subject}
            </span>
            <span class="num">{commit.cost === undefined ? '' : `≈ ${moneyText(commit.cost)}`}</span>
            <span class="under">
              <code>{commit.commit.slice(0, 8)}</code>, <Ago at={commit.authored_at} />
              {commit.tokens !== undefined && `, ${shortCount(commit.tokens)} tokens`}
              {commit.certainty !== 'certain' && `, ${commit.certainty}`}
              {commit.reasons && commit.reasons.length > 0 && `: ${commit.reasons.join('; ')}`}
            </span>
          </li>
        ))}
      </ul>
      <MoreRows pages={pages} />
      {rest && (
        <p class="hint-line">
          {shortCount(rest.tokens)} tokens{rest.cost !== undefined && ` (≈ ${moneyText(rest.cost)})`} went
          into {pages.rows.length === 0 ? 'work' : 'other work'} that was not committed
          {pages.rows.length > 0 && `, beside ${countOf(pages.rows.length, 'commit')}`}.
        </p>
      )}
    </>
  );
}
