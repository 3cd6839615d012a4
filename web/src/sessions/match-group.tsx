import { pageLinks } from '../frame/router.ts';
import { countOf, moneyText } from '../ui/format.ts';
import { Marked } from '../ui/marked.tsx';
import { shortTime } from '../ui/time.tsx';
import { AgentMark } from './agent-mark.tsx';
import type { MatchGroup } from './search-groups.ts';
import { originText, type SessionCard } from './session-cards.ts';

/** A matching session: its title and facts, and its best lines. */
export function MatchGroupView(props: {
  readonly group: MatchGroup;
  /** Undefined until it is loaded. */
  readonly card: SessionCard | undefined;
  /** What to mark in the lines; empty for a regular expression. */
  readonly query: string;
  readonly find: string;
  /** False while not all matches are known. */
  readonly counted: boolean;
}) {
  const { group, query, card } = props;
  const { project, cost_usd: cost } = card ?? {};
  return (
    <article class="match-group">
      <p class="match-title">
        {card && <AgentMark provider={card.provider} />}
        <a class="cut" href={pageLinks.session(group.session, { find: props.find })}>
          {card?.title || card?.snippet || group.session}
        </a>
        <span class="match-meta">
          {card && originText(card) !== '' && <span>{originText(card)}</span>}
          {project && <span title={project}>{project.split('/').at(-1)}</span>}
          {card && <span class="match-when">{shortTime(card.start_time)}</span>}
          {card && <span class="match-cost">{cost === undefined ? '' : `≈ ${moneyText(cost)}`}</span>}
          <span class="match-count">
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
