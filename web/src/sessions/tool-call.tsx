import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Badge, type Tone } from '../ui/basics.tsx';
import { Diff } from './diff.tsx';
import { LongText } from './long-text.tsx';
import { briefOf, diffOfCall, isEdit } from './tool-arguments.ts';
import type { ToolCard } from './types.ts';
import { readOn, UNREAD } from './whole-text.ts';

const TONES: Readonly<Record<string, Tone>> = {
  ok: 'ok',
  failed: 'failed',
  cancelled: 'warning',
  pending: 'running',
};

/** A call with its arguments and its result; edits as diffs. */
export function ToolCall(props: {
  readonly base: string;
  readonly tool: ToolCard;
  readonly children?: ComponentChildren;
}) {
  const { base, tool } = props;
  const edit = isEdit(tool.name);
  const whole = useWholeArguments(base, tool, edit);
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
          <LongText base={base} text={tool.arguments} events={[tool.event_index]} />
        </details>
      )}
      {tool.result !== undefined && (!edit || tool.status === 'failed') && (
        <div class="result">
          <LongText
            base={base}
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
 * The arguments of an edit are needed as they were made: those of a step are cut and without escapes. Those of other
 * calls are fetched when they are unfolded. Undefined while they are on their way.
 */
function useWholeArguments(base: string, tool: ToolCard, wanted: boolean): string | undefined {
  const [whole, setWhole] = useState<string>();
  useEffect(() => {
    if (!wanted) return;
    const stop = new AbortController();
    readOn(base, [tool.event_index], UNREAD, stop.signal).then(
      // What is longer than one portion is no diff for people.
      ({ text, next }) => setWhole(next === undefined ? text : tool.arguments),
      () => setWhole(tool.arguments),
    );
    return () => stop.abort();
  }, [base, tool.event_index, wanted]);
  return whole;
}
