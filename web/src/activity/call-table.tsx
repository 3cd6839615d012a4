import { countText, sizeText } from '../../../src/contract/people.ts';
import type { CallCard } from '../data/types.ts';
import { Badge } from '../ui/basics.tsx';
import { shortTime } from '../ui/time.tsx';

/** Calls, one a line. */
export function CallTable({ calls, label }: { readonly calls: readonly CallCard[]; readonly label: string }) {
  return (
    <table class="table" aria-label={label}>
      <thead>
        <tr>
          <th>time</th>
          <th>operation</th>
          <th class="wide-only">caller</th>
          <th class="num">sent</th>
          <th class="num">ms</th>
          <th class="wide-only">outcome</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <tr key={`${call.at} ${call.operation} ${call.ms} ${call.bytes_out}`}>
            <td class="fit quiet">{shortTime(call.at)}</td>
            <td class="mono cut">{call.operation}</td>
            <td class="cut wide-only">
              {call.client} <span class="quiet">{call.door === call.client ? '' : call.door}</span>
            </td>
            <td class="num">{sizeText(call.bytes_out)}</td>
            <td class="num">{countText(call.ms)}</td>
            <td class="fit wide-only">
              {call.outcome === 'ok' ? (
                <span class="ok">ok</span>
              ) : (
                <Badge tone="failed">{call.outcome}</Badge>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
