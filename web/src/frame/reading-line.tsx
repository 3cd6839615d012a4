import { logsReading } from '../data/logs-reading.ts';
import { Bar } from '../ui/basics.tsx';
import { durationText, sizeText } from '../ui/format.ts';

/** A line below the top bar while agent logs are being read. */
export function ReadingLine() {
  const reading = logsReading.value;
  if (reading === undefined) return null;
  const { done, total, secondsLeft } = reading;
  return (
    <div class="reading-line" role="status">
      <span>
        Reading agent logs: {sizeText(done)} of {sizeText(total)}
        {secondsLeft !== undefined && `, about ${durationText(Math.max(1, secondsLeft))} left`}. Newest first;
        sessions and their figures are incomplete until then.
      </span>
      <Bar share={done / total} tone="running" />
    </div>
  );
}
