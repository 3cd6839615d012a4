import { useMemo } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { go, param, withQuery } from '../frame/router.ts';
import { shortMonth } from '../ui/day-words.ts';
import { dayAt, dayBefore } from '../ui/days.ts';
import { countOf, moneyText, shortCount } from '../ui/format.ts';
import { now } from '../ui/time.tsx';
import { CALENDAR_WEEKS, calendarInput, calendarStart } from './session-questions.ts';
import type { UsageCard } from './types.ts';

const CELL = 13;
/** Room for the names of the months. */
const MONTHS_HEIGHT = 15;
const LEVELS = 4;

/** A year of work, one box per day; a click shows that day's sessions. */
export function CalendarHeat() {
  const today = dayAt(now.value);
  const first = calendarStart(now.value);
  const { answer } = useAnswer('usage', calendarInput(now.value));
  const days = useMemo(() => new Map(answer?.data.usage.map((row) => [row.group, row])), [answer]);
  const most = Math.max(1, ...[...days.values()].map((row) => row.total));
  const chosen = param('day');
  const cells = Array.from({ length: (CALENDAR_WEEKS + 1) * 7 }, (_, i) => ({
    day: dayBefore(first, -i),
    week: Math.floor(i / 7),
    weekday: i % 7,
  })).filter(({ day }) => day <= today);
  return (
    <div class="calendar wide-only">
      <svg
        viewBox={`0 ${-MONTHS_HEIGHT} ${(CALENDAR_WEEKS + 1) * CELL} ${7 * CELL + MONTHS_HEIGHT}`}
        width={(CALENDAR_WEEKS + 1) * CELL}
        height={7 * CELL + MONTHS_HEIGHT}
        role="img"
        aria-label={`Tokens per day in the last year: work on ${countOf(days.size, 'day')}`}
      >
        {cells
          .filter(({ day }) => day.endsWith('-01'))
          .map(({ day, week }) => (
            <text key={day} class="heat-month" x={week * CELL + 1} y={-4}>
              {shortMonth(day)}
            </text>
          ))}
        {cells.map(({ day, week, weekday }) => {
          const row = days.get(day);
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the field beside it does the same with the keyboard
            <rect
              key={day}
              x={week * CELL + 1}
              y={weekday * CELL + 1}
              width={CELL - 3}
              height={CELL - 3}
              rx="2"
              class={`heat heat-${row === undefined ? 0 : levelOf(row.total, most)}${day === chosen ? ' on' : ''}`}
              onClick={() => go(withQuery({ day: day === chosen ? undefined : day, since: undefined }))}
            >
              <title>{describe(day, row)}</title>
            </rect>
          );
        })}
      </svg>
      <span class="quiet heat-scale">
        fewer
        <svg
          width={(LEVELS + 1) * CELL}
          height={CELL}
          role="img"
          aria-label="Colours from fewer to more tokens"
        >
          {Array.from({ length: LEVELS + 1 }, (_, level) => (
            <rect
              key={level}
              class={`heat heat-${level}`}
              x={level * CELL + 1}
              y={1}
              width={CELL - 3}
              height={CELL - 3}
              rx="2"
            />
          ))}
        </svg>
        more tokens
      </span>
      <label class="quiet">
        Day{' '}
        <input
          type="date"
          class="field"
          max={today}
          value={chosen ?? ''}
          onChange={(event) => go(withQuery({ day: event.currentTarget.value, since: undefined }))}
        />
      </label>
    </div>
  );
}

/** Logarithmic: one large day must not make all others look empty. */
function levelOf(value: number, most: number): number {
  return Math.max(1, Math.ceil((LEVELS * Math.log(1 + value)) / Math.log(1 + most)));
}

function describe(day: string, row: UsageCard | undefined): string {
  if (row === undefined) return `${day}: nothing`;
  const cost = row.cost_usd === undefined ? '' : `, ≈ ${moneyText(row.cost_usd)}`;
  return `${day}: ${shortCount(row.total)} tokens, ${countOf(row.responses, 'response')}${cost}`;
}
