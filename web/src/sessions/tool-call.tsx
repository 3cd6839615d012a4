import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Badge, type Tone } from '../ui/basics.tsx';
import { Diff } from './diff.tsx';
import { LongText, wholeEvent } from './long-text.tsx';
import { briefOf, diffOfCall, isEdit } from './tool-arguments.ts';
import type { ToolCard } from './types.ts';

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
  const diff = edit ? diffOfCall(whole) : undefined;
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
      {diff === undefined && (
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

/** The arguments of an edit are needed whole; those of other calls are fetched when they are unfolded. */
function useWholeArguments(base: string, tool: ToolCard, wanted: boolean): string {
  const [whole, setWhole] = useState<string>();
  const cut = /…\[\+\d+\]$/.test(tool.arguments);
  useEffect(() => {
    if (!wanted || !cut) return;
    const stop = new AbortController();
    wholeEvent(base, tool.event_index, stop.signal).then(setWhole, () => {});
    return () => stop.abort();
  }, [base, tool.event_index, wanted, cut]);
  return whole ?? tool.arguments;
}
