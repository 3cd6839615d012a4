import type { ComponentChildren } from 'preact';
import { Bar } from '../ui/basics.tsx';
import { countText, percentText, sizeText } from '../ui/format.ts';
import type { Group } from './types.ts';

/** Groups of files with their sizes as bars. */
export function GroupTable(props: {
  readonly heading: string;
  readonly groups: readonly Group[];
  /** The size of all groups, including those that are not loaded yet. */
  readonly total: number;
  readonly label: (group: Group) => ComponentChildren;
}) {
  return (
    <table class="table">
      <thead>
        <tr>
          <th>{props.heading}</th>
          <th class="num">on disk</th>
          <th>share</th>
          <th class="num wide-only">
            <span class="hidden-text">share in percent</span>
          </th>
          <th class="num">files</th>
        </tr>
      </thead>
      <tbody>
        {props.groups.map((group) => (
          <tr key={group.label}>
            <td class="cut group-label">{props.label(group)}</td>
            <td class="num">{sizeText(group.disk_size)}</td>
            <td>
              <Bar share={group.disk_size / Math.max(1, props.total)} />
            </td>
            <td class="num wide-only">{percentText(group.disk_size / Math.max(1, props.total))}</td>
            <td class="num">{countText(group.files)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
