import { useEffect, useMemo, useRef } from 'preact/hooks';
import { CodeLine } from '../code/code-text.tsx';
import { grammarOf, useHighlight } from '../code/use-highlight.ts';
import { useAll } from '../data/use-all.ts';
import { useAnswer } from '../data/use-answer.ts';
import { plainKey } from '../frame/keys.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { countOf, countText, moneyText } from '../ui/format.ts';
import { Empty, Skeleton } from '../ui/states.tsx';
import { shortTime } from '../ui/time.tsx';
import { Diff } from './diff.tsx';
import { litLines } from './lit-lines.ts';
import type { FileTouch } from './types.ts';
import './time-machine.css';

const MAX_LINES = 2_000;

/** A file's history of edits by agents: each stop lights up what the edit wrote, beside the prompt behind it. */
export function TimeMachine({ path }: { readonly path: string }) {
  const touches = useAll(
    'file_history',
    { path, order: 'oldest', diff_lines: 1_000, limit: 50 },
    (data) => data.touches ?? [],
    0,
  );
  const edits = useMemo(
    () => touches?.filter(({ diff, status }) => diff !== undefined && status === undefined),
    [touches],
  );
  const last = (edits?.length ?? 0) - 1;
  const at = Math.max(0, Math.min(last, Number(param('stop') ?? last)));
  useStopKeys(at, last);
  if (edits === undefined) return <Skeleton lines={12} />;
  const edit = edits[at];
  if (edit === undefined) return <Empty title="No session changed this file." />;
  return (
    <div class="time-machine">
      <div class="panel time-slider">
        <label>
          <span>
            Edit {countText(at + 1)} of {countText(edits.length)}
          </span>
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            aria-valuetext={`${shortTime(edit.timestamp)}: ${edit.why ?? edit.tool}`}
            onInput={(event) => go(withQuery({ stop: event.currentTarget.value }), { replace: true })}
          />
        </label>
        <ol class="time-stops" aria-hidden="true" title="Bars: lines changed by each edit, logarithmic">
          {edits.map((one, i) => (
            <li
              key={`${one.session_id} ${one.event_index}`}
              class={i === at ? 'on' : ''}
              style={{ height: `${barOf(one)}px` }}
            />
          ))}
        </ol>
      </div>
      <div class="time-body">
        <LitFile path={edit.path ?? path} edit={edit} />
        <Behind edit={edit} path={edit.path ?? path} />
      </div>
    </div>
  );
}

/** Logarithmic: one complete rewrite must not make all other edits look like nothing. */
function barOf({ added = 0, removed = 0 }: FileTouch): number {
  return Math.min(28, 4 + 5 * Math.log2(1 + added + removed));
}

/** j and k go to the next and the previous edit. */
function useStopKeys(at: number, last: number): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = plainKey(event);
      const next = key === 'j' ? at + 1 : key === 'k' ? at - 1 : -1;
      if (next >= 0 && next <= last) go(withQuery({ stop: next }), { replace: true });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [at, last]);
}

/** The file as it is now, with the lines of one edit lit. */
function LitFile({ path, edit }: { readonly path: string; readonly edit: FileTouch }) {
  const { answer, error } = useAnswer('file_view', { path, line: 1, lines: MAX_LINES });
  const text = answer?.data.text ?? '';
  const lines = useHighlight(grammarOf(path), text);
  const lit = useMemo(() => litLines(text, edit.diff ?? ''), [text, edit]);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    box.current?.querySelector('.lit')?.scrollIntoView({ block: 'center' });
  }, [lit]);
  const aside =
    lit.size === 0 ? 'No line of this edit is left' : `${countOf(lit.size, 'line')} of this edit left`;
  return (
    <Panel title="The file now" aside={answer && aside} class="lit-file">
      {error && !answer && <p class="hint-line">{error.message}</p>}
      {!answer && !error && <Skeleton lines={12} />}
      {answer && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must be scrollable with the keyboard
        <section ref={box} class="lit-text" tabIndex={0} aria-label="The file now">
          <pre>
            {lines.map((tokens, i) => (
              <div key={i} class={lit.has(i + 1) ? 'lit' : undefined}>
                <span class="code-number">{i + 1}</span>
                <CodeLine tokens={tokens} />
              </div>
            ))}
          </pre>
        </section>
      )}
    </Panel>
  );
}

/** Why an edit was made: the prompt, the reasoning before it, its cost, and its diff. */
function Behind({ edit, path }: { readonly edit: FileTouch; readonly path: string }) {
  const { session_id, turn_index = 0, step_index = 0, event_index } = edit;
  const { answer } = useAnswer('get_turn_steps', {
    session_id,
    turn_index,
    from_step: step_index,
    limit: 1,
  });
  const step = answer?.data.steps.find((one) => one.step_index === step_index);
  return (
    <Panel
      title={`Edited ${shortTime(edit.timestamp)}`}
      aside={
        <a href={pageLinks.session(session_id, { turn: turn_index, step: step_index, event: event_index })}>
          Open the session
        </a>
      }
      class="behind"
    >
      <dl class="facts panel-body">
        <div>
          <dt>Asked</dt>
          <dd>{edit.why ?? 'not known'}</dd>
        </div>
        {step?.reasoning && (
          <div>
            <dt>Reasoning</dt>
            <dd class="behind-text">{step.reasoning}</dd>
          </div>
        )}
        {step?.message && (
          <div>
            <dt>Said</dt>
            <dd class="behind-text">{step.message}</dd>
          </div>
        )}
        <div>
          <dt>Cost of the step</dt>
          <dd>{step?.cost_usd === undefined ? '–' : `≈ ${moneyText(step.cost_usd)}`}</dd>
        </div>
        <div>
          <dt>Lines</dt>
          <dd>
            +{countText(edit.added ?? 0)} −{countText(edit.removed ?? 0)}
          </dd>
        </div>
      </dl>
      {edit.diff && <Diff text={edit.diff} path={path} />}
    </Panel>
  );
}
