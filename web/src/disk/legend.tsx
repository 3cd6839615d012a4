import { withQuery } from '../frame/router.ts';
import { toggleWord } from './filter-words.ts';
import { AGES, type ColourBy, RANKED, toneOfRank } from './treemap/colours.ts';

/** What the colours mean; a click filters by one of them. */
export function Legend(props: {
  readonly by: ColourBy;
  readonly ranked: readonly string[];
  readonly words: string;
}) {
  const items =
    props.by === 'age'
      ? AGES.map(({ label, tone, word }) => ({ label, tone, word }))
      : props.ranked
          .map((label, rank) => ({
            label: label === '(none)' ? label : `.${label}`,
            tone: toneOfRank(rank),
            word: label === '(none)' ? '' : `ext:${label}`,
          }))
          .concat({ label: 'other', tone: toneOfRank(RANKED), word: '' });
  const on = props.words.split(/\s+/);
  return (
    <ul class="legend" aria-label="Legend">
      {items.map(({ label, tone, word }) => (
        <li key={label}>
          {word === '' ? (
            <span class="legend-item">
              <span class="swatch" style={{ background: `var(--${tone})` }} />
              {label}
            </span>
          ) : (
            <a
              class={on.includes(word) ? 'legend-item on' : 'legend-item'}
              href={withQuery({ f: toggleWord(props.words, word) })}
              aria-current={on.includes(word) ? 'true' : undefined}
            >
              <span class="swatch" style={{ background: `var(--${tone})` }} />
              {label}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
