import { useAnswer } from '../data/use-answer.ts';
import { pageLinks, withQuery } from '../frame/router.ts';
import { Icon } from '../ui/icon.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';

/** Why one line is there: its commit, and the prompt and reasoning of the session behind it. */
export function LineOrigin({ path, line }: { readonly path: string; readonly line: number }) {
  const { answer, error, reload } = useAnswer('blame', { path, line });
  const [found] = answer?.data.lines ?? [];
  return (
    <section class="symbol-panel line-origin" aria-label={`Origin of line ${line}`}>
      <header>
        <h3>Why line {line} is there</h3>
        <a
          class="button plain icon-only small"
          href={withQuery({ origin: undefined })}
          aria-label="Close origin"
        >
          <Icon name="close" />
        </a>
      </header>
      {error && !answer && <Failure error={error} retry={reload} />}
      {!answer && !error && <Skeleton lines={3} />}
      {found && (
        <>
          <p>
            {found.commit === undefined ? (
              'Not committed yet.'
            ) : (
              <>
                <code>{found.commit}</code> {found.subject}{' '}
                <span class="quiet">
                  {found.author}
                  {found.authored_at && (
                    <>
                      , <Ago at={found.authored_at} />
                    </>
                  )}
                </span>
              </>
            )}
          </p>
          {found.session_id === undefined ? (
            <p class="quiet">No session on this machine is known to have written it.</p>
          ) : (
            <p>
              <a
                href={pageLinks.session(found.session_id, {
                  turn: found.turn_index,
                  event: found.event_index,
                })}
              >
                Session {found.session_id}
              </a>{' '}
              <span class="quiet">
                {found.certainty}
                {found.reasons && `: ${found.reasons.join('; ')}`}
              </span>
            </p>
          )}
          {found.prompt && (
            <blockquote>
              <strong>Asked:</strong> {found.prompt}
            </blockquote>
          )}
          {found.reasoning && (
            <blockquote>
              <strong>Reasoning:</strong> {found.reasoning}
            </blockquote>
          )}
        </>
      )}
    </section>
  );
}
