import type { ComponentChildren } from 'preact';
import { pageLinks } from '../frame/router.ts';
import { Badge } from '../ui/basics.tsx';
import { countOf, countText, sizeText } from '../ui/format.ts';
import { shortTime } from '../ui/time.tsx';
import type { AskingStep } from './asking-steps.ts';
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
function Unfolding(props: { readonly class: string; readonly children: ComponentChildren }) {
  return (
    <details class="unfolding">
      <summary class={props.class}>
        <code>{props.children}</code>
      </summary>
    </details>
  );
}

/** What was asked, what came back, and which step of which session asked. */
function Asked({ call, step }: { readonly call: CallCard; readonly step: AskingStep | undefined }) {
  if (call.asked === undefined && step === undefined) return null;
  return (
    <span class="asked">
      {call.asked && <Unfolding class="quiet">{call.asked}</Unfolding>}
      {call.answered && (
        <Unfolding class="answered">
          → {call.rows !== undefined && `${countOf(call.rows, 'row')}: `}
          {call.answered}
        </Unfolding>
      )}
      {step && <a href={pageLinks.session(step.session, { event: step.event })}>session {step.session}</a>}
    </span>
  );
}
