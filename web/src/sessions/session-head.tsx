import { pageLinks } from '../frame/router.ts';
import { Badge } from '../ui/basics.tsx';
import { countOf, countText, durationText, moneyText, shortCount } from '../ui/format.ts';
import { shortTime } from '../ui/time.tsx';
import { AgentMark, agentName } from './agent-mark.tsx';
import { KeepCopy, SessionActions } from './session-actions.tsx';
import { originText } from './session-cards.ts';
import { SessionNote, StarButton } from './session-marks.tsx';
import type { SessionSummary } from './types.ts';

/** The title of a session, its agent, model and project, and its figures. */
export function SessionHead({ summary, live }: { readonly summary: SessionSummary; readonly live: boolean }) {
  const { stats, tokens, project } = summary;
  const cost = tokens?.cost_usd;
  return (
    <header class="session-head">
      <div class="view-head">
        <AgentMark provider={summary.provider} />
        <StarButton key={summary.id} summary={summary} />
        <h1 class="cut">{summary.title ?? summary.first_prompt}</h1>
        {live && <Badge tone="running">running</Badge>}
        <span class="spacer" />
        <SessionActions summary={summary} />
      </div>
      <p class="session-facts">
        <span class="mono">{summary.id}</span>
        <span>
          {agentName(summary.provider)} {summary.version}
        </span>
        {summary.model && <span>{summary.model}</span>}
        {project && (
          <a href={pageLinks.sessions({ project: project.hash })} class="mono">
            {project.path ?? project.hash}
          </a>
        )}
        {originText(summary) !== '' && <span>{originText(summary)}</span>}
        {summary.branch && <span class="mono">{summary.branch}</span>}
        {summary.parent && (
          <span>
            {summary.parent.relation} of{' '}
            <a href={pageLinks.session(summary.parent.id)}>{summary.parent.id}</a>
          </span>
        )}
        <span>
          {shortTime(summary.start_time)}
          {stats.duration_seconds !== undefined && `, ${durationText(stats.duration_seconds)}`}
        </span>
      </p>
      <p class="session-facts">
        <span>
          <strong>{countText(stats.total_turns)}</strong> {stats.total_turns === 1 ? 'turn' : 'turns'}
        </span>
        <span>
          <strong>{countText(stats.tool_calls)}</strong> {stats.tool_calls === 1 ? 'call' : 'calls'}
        </span>
        <span class={stats.failures > 0 ? 'failed' : ''}>
          <strong>{countText(stats.failures)}</strong> failed
        </span>
        {tokens === undefined ? (
          <span class="quiet">no tokens in its log</span>
        ) : (
          <>
            <span
              title={`input ${countText(tokens.input)}${tokens.cached === undefined ? '' : `, cached ${countText(tokens.cached)}`}, output ${countText(tokens.output)}`}
            >
              {tokens.lower_bound && '≥ '}
              <strong>{shortCount(stats.total_tokens ?? 0)}</strong> tokens
            </span>
            <span class="quiet wide-only">
              {tokens.cached !== undefined && `${shortCount(tokens.cached)} cached, `}
              {shortCount(tokens.output)} output
            </span>
          </>
        )}
        {cost !== undefined && (
          <span title="Estimated from list prices">
            ≈ <strong>{moneyText(cost)}</strong>
          </span>
        )}
        {stats.compactions && <Badge tone="warning">{countOf(stats.compactions, 'compaction')}</Badge>}
        {summary.expires_at && <KeepCopy at={summary.expires_at} agent={agentName(summary.provider)} />}
        <SessionNote key={summary.id} summary={summary} />
      </p>
    </header>
  );
}
