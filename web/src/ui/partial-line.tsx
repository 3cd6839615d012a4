import { useEffect } from 'preact/hooks';
import type { Partial } from '../data/answer-notes.ts';
import { Bar } from './basics.tsx';
import { countOf, countText, durationText } from './format.ts';

const ASK_AGAIN_MS = 2_000;

/** Says that an answer covers only some of the files, and asks again until it covers all of them. */
export function PartialLine(props: {
  readonly partial: Partial;
  readonly loading: boolean;
  readonly reload: () => void;
}) {
  const { files, of, secondsLeft } = props.partial;
  useEffect(() => {
    if (props.loading) return;
    const timer = setTimeout(props.reload, ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [props.loading, files]);
  return (
    <div class="partial-line" role="status">
      <span>
        {countText(files)} of {countOf(of, 'file')} so far
        {secondsLeft !== undefined && `, about ${durationText(Math.max(1, secondsLeft))} left`}. Results
        improve by themselves.
      </span>
      <Bar share={files / Math.max(1, of)} tone="running" />
    </div>
  );
}
