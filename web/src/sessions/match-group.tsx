import { useAnswer } from '../data/use-answer.ts';
import { pageLinks } from '../frame/router.ts';
import { countOf, moneyText } from '../ui/format.ts';
import { Marked } from '../ui/marked.tsx';
import { shortTime } from '../ui/time.tsx';
import { AgentMark } from './agent-mark.tsx';
import type { MatchGroup } from './search-groups.ts';

/** A session that matches: what it is, and its best lines. */
export function MatchGroupView(props: {
  readonly group: MatchGroup;
  /** What to mark in the lines; empty for a regular expression. */
  readonly query: string;
  readonly find: string;
  /** False while not all matches are known. */
  readonly counted: boolean;
}) {
  const { group, query } = props;
  const { answer } = useAnswer('get_session_summary', { session_id: group.session });
  const data = answer?.data.id === group.session ? answer.data : undefined;
  const cost = data?.tokens.cost_usd;
  return (
    <article class="match-group">
      <p class="match-title">
        {data && <AgentMark provider={data.provider} />}
        <a class="cut" href={pageLinks.session(group.session, { find: props.find })}>
          {data ? (data.title ?? data.first_prompt) || group.session : group.session}
        </a>
        <span class="match-meta">
          {data?.project?.path && (
            <span title={data.project.path}>{data.project.path.split('/').at(-1)}</span>
          )}
          {data && <span>{shortTime(data.start_time)}</span>}
          {cost !== undefined && <span>≈ {moneyText(cost)}</span>}
          <span>
            {countOf(group.count, 'match', 'matches')}
            {!props.counted && ' so far'}
          </span>
        </span>
      </p>
      {group.best.map((match) => (
        <a
          key={match.event_index}
          class="match-line"
          href={pageLinks.session(match.session_id, {
            turn: match.turn_index,
            step: match.step_index,
            event: match.event_index,
          })}
        >
          <span class="badge">
            {match.event_type === 'user' ? 'prompt' : match.event_type.replace('_', ' ')}
          </span>
          <span class="match-text mono">
            <Marked text={match.preview} query={query} />
          </span>
        </a>
      ))}
    </article>
  );
}
