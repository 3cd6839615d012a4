import { pageLinks } from '../frame/router.ts';
import { Badge } from '../ui/basics.tsx';
import { countOf, countText, sizeText } from '../ui/format.ts';
import { shortTime } from '../ui/time.tsx';
import type { AskingStep } from './asking-steps.ts';
import { inputWords } from './input-words.ts';
import { type CallCard, hasFailed } from './types.ts';
import './call-table.css';

export function CallTable(props: {
  readonly calls: readonly CallCard[];
  readonly label: string;
  /** Leaves out the duration, and the outcome unless the call failed. */
  readonly brief?: boolean;
  /** The session step that made a call, if known. */
  readonly stepOf?: (call: CallCard) => AskingStep | undefined;
}) {
  const { calls, label, brief = false } = props;
  return (
    <table class="table" aria-label={label}>
      <thead>
        <tr>
          <th>time</th>
          <th>operation</th>
          <th class="wide-only">caller</th>
          <th class="num">sent</th>
          {!brief && <th class="num">ms</th>}
          {!brief && <th class="wide-only">outcome</th>}
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <tr key={`${call.timestamp} ${call.operation} ${call.ms} ${call.bytes_out}`}>
            <td class="fit quiet">{shortTime(call.timestamp)}</td>
            <td class="mono cut">
              {call.operation}
              {brief && hasFailed(call) && <Badge tone="failed">{call.outcome}</Badge>}
              <Asked call={call} step={props.stepOf?.(call)} />
            </td>
            <td class="cut wide-only">
              {call.client} <span class="quiet">{call.door === call.client ? '' : call.door}</span>
            </td>
            <td class="num">{sizeText(call.bytes_out)}</td>
            {!brief && <td class="num">{countText(call.ms)}</td>}
            {!brief && (
              <td class="fit wide-only">
                {call.outcome === 'ok' ? (
                  <span class="ok">ok</span>
                ) : (
                  <Badge {...(hasFailed(call) ? { tone: 'failed' } : {})}>{call.outcome}</Badge>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** One line that shows all of its text when it is opened. */
function Unfolding(props: {
  readonly class: string;
  readonly line: string;
  /** What opens below the line; without it, the line itself is shown whole. */
  readonly whole?: string | undefined;
}) {
  const { line, whole } = props;
  return (
    <details class={whole === undefined || whole === line ? 'unfolding line' : 'unfolding'}>
      <summary class={props.class}>
        <code>{line}</code>
      </summary>
      {whole !== undefined && whole !== line && <code class="unfolded">{whole}</code>}
    </details>
  );
}

/** What was asked, what came back, and which step of which session asked. */
function Asked({ call, step }: { readonly call: CallCard; readonly step: AskingStep | undefined }) {
  if (call.asked === undefined && step === undefined) return null;
  return (
    <span class="asked">
      {call.asked && <Unfolding class="quiet" line={inputWords(call.asked)} whole={call.asked} />}
      {call.answered && (
        <Unfolding
          class="answered"
          line={`→ ${call.rows === undefined ? call.answered : countOf(call.rows, 'row')}`}
          whole={call.rows === undefined ? undefined : call.answered}
        />
      )}
      {step && <a href={pageLinks.session(step.session, { event: step.event })}>session {step.session}</a>}
    </span>
  );
}
