import type { ComponentChildren } from 'preact';
import { countText, sizeText } from '../../../src/contract/people.ts';
import { Bar } from '../ui/basics.tsx';
import type { Group } from './types.ts';

/** Groups of files with what they take, as bars. */
export function GroupTable(props: {
  readonly heading: string;
  readonly groups: readonly Group[];
  /** What all groups take, also those that are not here. */
  readonly total: number;
  readonly label: (group: Group) => ComponentChildren;
}) {
  const most = Math.max(1, ...props.groups.map((group) => group.disk_size));
  return (
    <table class="table">
      <thead>
        <tr>
          <th>{props.heading}</th>
          <th class="num">on disk</th>
          <th>share</th>
          <th class="num wide-only">share %</th>
          <th class="num">files</th>
        </tr>
      </thead>
      <tbody>
        {props.groups.map((group) => (
          <tr key={group.label}>
            <td class="cut">{props.label(group)}</td>
            <td class="num">{sizeText(group.disk_size)}</td>
            <td>
              <Bar share={group.disk_size / most} />
            </td>
            <td class="num wide-only">{((100 * group.disk_size) / Math.max(1, props.total)).toFixed(1)}</td>
            <td class="num">{countText(group.files)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
