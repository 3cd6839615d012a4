import { withQuery } from '../frame/router.ts';
import { FAMILIES, OTHER_TONE } from './families.ts';
import { toggleWord } from './filter-words.ts';
import { AGES, type ColourBy } from './treemap/colours.ts';

const BY_TYPE = [
  ...FAMILIES.map(({ id, label, tone }) => ({ label, tone, word: `is:${id}` })),
  { label: 'Other', tone: OTHER_TONE, word: '' },
];

/** What the colours mean; a click filters by one of them. */
export function Legend(props: { readonly by: ColourBy; readonly words: string }) {
  const items = props.by === 'age' ? AGES : BY_TYPE;
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
