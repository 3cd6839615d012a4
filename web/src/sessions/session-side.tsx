import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { plainKey } from '../frame/keys.ts';
import { go, param, withQuery } from '../frame/router.ts';
import { Tabs } from '../ui/basics.tsx';
import { countOf, countText, shortCount } from '../ui/format.ts';
import { shortTime } from '../ui/time.tsx';
import { FilesAndSubagents } from './files-and-subagents.tsx';
import { SessionBrief } from './session-brief.tsx';
import { SessionCommits } from './session-commits.tsx';
import { nextFailure } from './transcript-rows.ts';
import type { SessionSummary, TimelineData, TurnCard } from './types.ts';
import './session-side.css';

const TABS = ['turns', 'findings', 'files', 'commits', 'brief'] as const;
const LABELS = { findings: 'Findings', files: 'Files', commits: 'Commits', brief: 'Brief' } as const;

/** The sidebar of a session: turns, findings, files and subagents, commits. */
export function SessionSide(props: {
  readonly session: string;
  readonly turns: readonly TurnCard[];
  readonly summary: SessionSummary;
  readonly timeline: TimelineData | undefined;
  /** The findings. */
  readonly children: ComponentChildren;
}) {
  const { turns, summary } = props;
  const tab = TABS.find((id) => id === param('side')) ?? 'turns';
  useTurnKeys(turns, props.timeline);
  return (
    <section class="panel session-side" aria-label="Turns and findings">
      <Tabs
        label="Session sidebar"
        current={tab}
        items={TABS.map((id) => ({
          id,
          label: id === 'turns' ? `Turns ${countText(turns.length)}` : LABELS[id],
          href: withQuery({ side: id === 'turns' ? undefined : id }),
        }))}
      />
      <div class="side-body">
        {tab === 'turns' && <TurnList turns={turns} />}
        {tab === 'findings' && props.children}
        {tab === 'files' && <FilesAndSubagents session={props.session} summary={summary} />}
        {tab === 'commits' && (
          <SessionCommits session={props.session} folder={summary.cwd ?? summary.project?.path} />
        )}
        {tab === 'brief' && <SessionBrief session={props.session} events={summary.stats.total_events} />}
      </div>
    </section>
  );
}

/** As many as can be seen at first; the others follow after the first paint. */
const TURNS_DRAWN_FIRST = 15;

function TurnList({ turns }: { readonly turns: readonly TurnCard[] }) {
  const current = Number(param('turn') ?? 0);
  const [painted, setPainted] = useState(false);
  useEffect(() => setPainted(true), []);
  const largest = Math.max(1, ...turns.map((turn) => turn.tokens ?? 0));
  return (
    <>
      {turns.length > 1 && largest > 1 && (
        <p class="turn-legend quiet">Under each turn: its tokens, beside the turn with the most</p>
      )}
      <ol class="turn-list">
        {turns.slice(0, painted ? undefined : TURNS_DRAWN_FIRST).map((turn) => (
          <li key={turn.turn_index}>
            <a
              href={withQuery({ turn: turn.turn_index, step: undefined, event: undefined })}
              class={`turn-link outcome-${turn.outcome}`}
              aria-current={turn.turn_index === current ? 'true' : undefined}
            >
              <span class="turn-top">
                <span class="mono">{turn.turn_index}</span>
                <span class="quiet">{shortTime(turn.start_time)}</span>
                <span class="quiet">
                  {turn.step_count === 0 ? turn.outcome : countOf(turn.step_count, 'step')}
                </span>
                {turn.tokens !== undefined && turn.tokens > 0 && (
                  <span class="num" title="tokens">
                    {shortCount(turn.tokens)}
                    <span class="hidden-text"> tokens</span>
                  </span>
                )}
                {turn.failed_tools > 0 && <span class="failed">{countText(turn.failed_tools)} failed</span>}
              </span>
              <span class="turn-prompt">{turn.user_message || '(no prompt)'}</span>
              <span
                class="turn-bar"
                aria-hidden="true"
                style={{ width: `${(100 * (turn.tokens ?? 0)) / largest}%` }}
              />
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}

/** j and k move between turns, f goes to the next failed call. */
function useTurnKeys(turns: readonly TurnCard[], timeline: TimelineData | undefined): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = plainKey(event);
      const current = Number(param('turn') ?? -1);
      const next =
        key === 'j'
          ? turns.find((turn) => turn.turn_index > current)
          : key === 'k'
            ? turns.findLast((turn) => turn.turn_index < current)
            : undefined;
      const failure =
        key === 'f' && timeline ? nextFailure(timeline, Number(param('event') ?? -1)) : undefined;
      if (failure !== undefined) go(withQuery(failure));
      if (next !== undefined) go(withQuery({ turn: next.turn_index, step: undefined, event: undefined }));
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [turns, timeline]);
}
