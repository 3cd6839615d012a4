import { withQuery } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { countOf, shortCount, sizeText } from '../ui/format.ts';
import { type CallCard, hasFailed } from './types.ts';

const WIDTH = 240;
const HEIGHT = 64;
const MAX_PLOTS = 12;
const MAX_DOTS = 300;
/** The default size limit of an answer over MCP. */
const BUDGET_BYTES = 8_000;

/** One small plot per operation, one dot per call; larger answers are higher. All plots share the same scales. */
export function CallPlots({ calls, since }: { readonly calls: readonly CallCard[]; readonly since: number }) {
  const groups = new Map<string, CallCard[]>();
  for (const call of calls) groups.set(call.operation, [...(groups.get(call.operation) ?? []), call]);
  const largest = Math.max(1_000, ...calls.map((call) => call.bytes_out));
  const now = Date.now();
  const first = Math.max(since, Math.min(now - 60_000, ...calls.map((call) => Date.parse(call.timestamp))));
  const x = (at: string) => ((Date.parse(at) - first) / (now - first)) * (WIDTH - 8) + 4;
  const y = (bytes: number) => HEIGHT - 4 - (Math.log(1 + bytes) / Math.log(1 + largest)) * (HEIGHT - 10);
  const sorted = [...groups].sort((a, b) => b[1].length - a[1].length).slice(0, MAX_PLOTS);
  return (
    <Panel title="Response size" aside="One dot per call, higher is larger. Red: failed. Dashed: 8 KB limit.">
      <ul class="small-plots">
        {sorted.map(([operation, own]) => (
          <li key={operation}>
            <a href={withQuery({ operation })} class="mono cut">
              {operation}
            </a>
            <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={describe(operation, own)}>
              <line x1="0" x2={WIDTH} y1={HEIGHT - 4} y2={HEIGHT - 4} class="axis" />
              <line x1="0" x2={WIDTH} y1={y(BUDGET_BYTES)} y2={y(BUDGET_BYTES)} class="axis dashed" />
              {own.slice(0, MAX_DOTS).map((call) => (
                <circle
                  key={`${call.timestamp} ${call.bytes_out} ${call.ms}`}
                  cx={x(call.timestamp)}
                  cy={y(call.bytes_out)}
                  r="2.2"
                  class={hasFailed(call) ? 'dot bad' : 'dot'}
                />
              ))}
            </svg>
            <span class="quiet">
              {countOf(own.length, 'call')}, {sizeText(average(own, (call) => call.bytes_out))} and{' '}
              {shortCount(average(own, (call) => call.tokens))} tokens on average
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function average(calls: readonly CallCard[], pick: (call: CallCard) => number): number {
  return calls.length === 0 ? 0 : Math.round(calls.reduce((sum, call) => sum + pick(call), 0) / calls.length);
}

function describe(operation: string, calls: readonly CallCard[]): string {
  const failed = calls.filter(hasFailed).length;
  return `${operation}: ${countOf(calls.length, 'call')}, ${failed} failed, ${sizeText(average(calls, (call) => call.bytes_out))} on average`;
}
