import { useAnswer } from '../data/use-answer.ts';
import { percentText, sizeText } from '../ui/format.ts';

/** How full the file system of an index is, and how much of it this folder takes. */
export function Capacity({ index, used }: { readonly index: string; readonly used: number }) {
  const { answer } = useAnswer('disk_index', { index_id: index });
  const volume = answer?.data.volume;
  if (volume === undefined || volume.size === 0) return null;
  const share = (bytes: number) => `${Math.max(0, Math.min(100, (100 * bytes) / volume.size)).toFixed(1)}%`;
  const full = 1 - volume.free / volume.size;
  return (
    <p class="capacity">
      <span class="capacity-bar" aria-hidden="true">
        <span class="capacity-here" style={{ width: share(used) }} />
        <span class="capacity-other" style={{ width: share(volume.size - volume.free - used) }} />
      </span>
      <span class="quiet">
        {percentText(used / volume.size)} of a disk of {sizeText(volume.size)}, {percentText(full)} full,{' '}
        {sizeText(volume.free)} free
      </span>
    </p>
  );
}
