import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Badge, type Tone } from '../ui/basics.tsx';
import { useCodeLink } from '../ui/code-root.ts';
import { callTimeText } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { Diff } from './diff.tsx';
import { diffCounts } from './diff-lines.ts';
import { HowFixed } from './how-fixed.tsx';
import { LongText } from './long-text.tsx';
import { readMore, UNREAD } from './read-text.ts';
import { asksAgent, briefOf, diffOfCall, isEdit, placeOf } from './tool-arguments.ts';
import type { ToolCard } from './types.ts';

/** Tones of the statuses of calls; `unknown` has none. */
export const CALL_TONES: Readonly<Record<string, Tone>> = {
  ok: 'ok',
  failed: 'failed',
  rejected: 'warning',
  cancelled: 'warning',
  pending: 'running',
};

/** Shorter calls take no noticeable time. */
const SHOWN_MS = 100;

/** A call with its arguments and its result; an edit is shown as a diff. */
export function ToolCall(props: {
  readonly session: string;
  readonly tool: ToolCard;
  /** True if the address names this call. */
  readonly current?: boolean;
  readonly children?: ComponentChildren;
}) {
  const { session, tool } = props;
  const edit = isEdit(tool.name);
  const whole = useWholeArguments(session, tool, edit);
  const diff = edit ? diffOfCall(whole ?? tool.arguments) : undefined;
  const brief = briefOf(tool.arguments);
  const place = placeOf(tool.arguments);
  const linkTo = useCodeLink();
  const href = place && linkTo(place.path, place.line);
  const counts = diff === undefined ? undefined : diffCounts(diff);
  return (
    <div class={props.current ? `tool tool-${tool.status} current` : `tool tool-${tool.status}`}>
      <p class="tool-head">
        <strong>{tool.name}</strong>
        {place === undefined || href === undefined ? (
          <code class="cut tool-brief" title={brief}>
            {brief}
          </code>
        ) : (
          <a class="tool-brief mono" href={href} title={place.path}>
            <MiddleCut text={place.line === undefined ? place.path : `${place.path}:${place.line}`} />
          </a>
        )}
        {counts && (
          <span class="num tool-counts">
            <span class="ok">+{counts.added}</span> <span class="failed">−{counts.removed}</span>
          </span>
        )}
        {tool.duration_ms !== undefined && tool.duration_ms >= SHOWN_MS && (
          <span class="quiet num" title="How long the call took">
            {callTimeText(tool.duration_ms)}
          </span>
        )}
        {tool.status !== 'ok' && <Badge tone={CALL_TONES[tool.status]}>{tool.status}</Badge>}
        {tool.exit_code !== undefined && tool.exit_code !== 0 && (
          <Badge tone="failed">exit {tool.exit_code}</Badge>
        )}
      </p>
      {diff !== undefined && <Diff text={diff} path={place?.path} />}
      {diff === undefined && (!edit || whole !== undefined) && (
        <details class="arguments">
          <summary>Arguments</summary>
          <LongText session={session} text={tool.arguments} events={[tool.event_index]} />
        </details>
      )}
      {tool.result !== undefined && (!edit || tool.status === 'failed') && (
        <div class="result">
          <LongText
            session={session}
            text={tool.result}
            events={tool.result_event === undefined ? [] : [tool.result_event]}
            as={asksAgent(tool.name) && tool.status === 'ok' ? 'markdown' : 'text'}
          />
        </div>
      )}
      {tool.status === 'failed' && tool.result !== undefined && <HowFixed error={tool.result} />}
      {props.children}
    </div>
  );
}

/**
 * The complete arguments of an edit: those in a step are truncated and unescaped. Arguments of other calls are loaded
 * when they are opened. Undefined until they are loaded.
 */
function useWholeArguments(session: string, tool: ToolCard, wanted: boolean): string | undefined {
  const [whole, setWhole] = useState<string>();
  useEffect(() => {
    if (!wanted) return;
    const stop = new AbortController();
    readMore(session, [tool.event_index], UNREAD, stop.signal).then(
      // A diff longer than one portion is too long to read.
      ({ text, next }) => setWhole(next === undefined ? text : tool.arguments),
      () => setWhole(tool.arguments),
    );
    return () => stop.abort();
  }, [session, tool.event_index, wanted]);
  return whole;
}
