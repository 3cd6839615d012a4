import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Badge, type Tone } from '../ui/basics.tsx';
import { Diff } from './diff.tsx';
import { LongText } from './long-text.tsx';
import { readMore, UNREAD } from './read-text.ts';
import { briefOf, diffOfCall, isEdit } from './tool-arguments.ts';
import type { ToolCard } from './types.ts';

const TONES: Readonly<Record<string, Tone>> = {
  ok: 'ok',
  failed: 'failed',
  rejected: 'warning',
  cancelled: 'warning',
  pending: 'running',
};

/** A call with its arguments and its result; an edit is shown as a diff. */
export function ToolCall(props: {
  readonly session: string;
  readonly tool: ToolCard;
  readonly children?: ComponentChildren;
}) {
  const { session, tool } = props;
  const edit = isEdit(tool.name);
  const whole = useWholeArguments(session, tool, edit);
  const diff = edit ? diffOfCall(whole ?? tool.arguments) : undefined;
  const brief = briefOf(tool.arguments);
  return (
    <div class={`tool tool-${tool.status}`}>
      <p class="tool-head">
        <strong>{tool.name}</strong>
        <code class="cut tool-brief" title={brief}>
          {brief}
        </code>
        {tool.status !== 'ok' && <Badge tone={TONES[tool.status]}>{tool.status}</Badge>}
        {tool.exit_code !== undefined && tool.exit_code !== 0 && (
          <Badge tone="failed">exit {tool.exit_code}</Badge>
        )}
      </p>
      {diff !== undefined && <Diff text={diff} />}
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
          />
        </div>
      )}
      {props.children}
    </div>
  );
}

/**
 * The complete arguments of an edit: those in a step are cut and have no escapes. Arguments of other calls are loaded
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
