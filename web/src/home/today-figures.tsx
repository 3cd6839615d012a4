import { logsReading } from '../data/logs-reading.ts';
import { useAnswer } from '../data/use-answer.ts';
import { pageLinks } from '../frame/router.ts';
import { dayAt, dayBefore } from '../ui/days.ts';
import { moneyText, shortCount } from '../ui/format.ts';
import { now } from '../ui/time.tsx';
import { dailyUsage, SHOWN_DAYS } from './home-questions.ts';

const BAR = 6;
const HEIGHT = 34;

/** What agents cost today and in the last 30 days, with a bar for each day. */
export function TodayFigures() {
  const today = dayAt(now.value);
  const { answer } = useAnswer('usage', dailyUsage(now.value), { every: 60_000 });
  const days = new Map(answer?.data.usage.map((row) => [row.group, row]));
  const rows = Array.from({ length: SHOWN_DAYS }, (_, i) => dayBefore(today, SHOWN_DAYS - 1 - i)).map(
    (day) => ({
      day,
      cost: days.get(day)?.cost_usd ?? 0,
      tokens: days.get(day)?.total ?? 0,
    }),
  );
  const sum = rows.reduce((total, { cost }) => total + cost, 0);
  const tokens = rows.reduce((total, row) => total + row.tokens, 0);
  const most = Math.max(0.000_001, ...rows.map(({ cost }) => cost));
  const least = [...days.values()].some((row) => row.lower_bound) ? '≥ ' : '';
  const partial = logsReading.value === undefined ? '' : ' so far';
  const known = answer !== undefined;
  const unused = known && tokens === 0 && partial === '';
  return (
    <a class="today panel" href={pageLinks.usage}>
      <span class="hidden-text">Usage and cost:</span>
      {unused && (
        <span class="today-figure quiet">
          No agent has worked here in {SHOWN_DAYS} days: no tokens, no cost.
        </span>
      )}
      {!unused && (
        <>
          <span class="today-figure">
            <strong>{known ? moneyText(rows.at(-1)?.cost ?? 0) : ' '}</strong>
            <span class="quiet">today{partial}</span>
          </span>
          <span class="today-figure">
            <strong>{known ? `${least}${moneyText(sum)}` : ' '}</strong>
            <span class="quiet">
              {SHOWN_DAYS} days{partial}, {shortCount(tokens)} tokens, at list prices
            </span>
          </span>
        </>
      )}
      <span class="today-bars quiet">
        <svg
          viewBox={`0 0 ${SHOWN_DAYS * BAR} ${HEIGHT}`}
          width={SHOWN_DAYS * BAR}
          height={HEIGHT}
          role="img"
          aria-label={`Cost per day, the highest ${moneyText(most)}`}
        >
          {rows.map(({ day, cost }, i) => {
            const tall = cost === 0 ? 1 : Math.max(2, (cost / most) * HEIGHT);
            return (
              <rect key={day} x={i * BAR} y={HEIGHT - tall} width={BAR - 2} height={tall}>
                <title>
                  {day}: {moneyText(cost)}
                </title>
              </rect>
            );
          })}
        </svg>
        <span aria-hidden="true">cost per day</span>
      </span>
    </a>
  );
}
