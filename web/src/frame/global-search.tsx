import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import { plainKey } from './keys.ts';
import { go } from './router.ts';
import { type Suggestion, useSuggestions } from './suggestions.ts';

/** The search field for everything: folders, sessions, code. */
export function GlobalSearch() {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  // By address, because results that arrive later change its position.
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const groups = useSuggestions(text, open);
  const suggestions = groups.flatMap((group) => group.suggestions);
  const chosen = Math.max(
    0,
    suggestions.findIndex(({ href }) => href === picked),
  );
  const pick = (index: number) => setPicked(suggestions[index]?.href);

  // Before the first paint: a key may be pressed as soon as the page is visible.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const palette = event.key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (!palette && plainKey(event) !== '/') return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  const choose = (suggestion: Suggestion | undefined) => {
    if (suggestion === undefined) return;
    setOpen(false);
    field.current?.blur();
    if (suggestion.run !== undefined) suggestion.run();
    else go(suggestion.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') pick(Math.min(chosen + 1, suggestions.length - 1));
    else if (event.key === 'ArrowUp') pick(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter') choose(suggestions[chosen]);
    else if (event.key === 'Escape') {
      setOpen(false);
      field.current?.blur();
    } else return;
    event.preventDefault();
  };
  const shown = open && suggestions.length > 0;

  return (
    <search class="global-search">
      <Icon name="search" />
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Search code, sessions and folders"
        aria-expanded={shown}
        aria-controls="suggestions"
        aria-autocomplete="list"
        aria-activedescendant={shown ? `suggestion-${chosen}` : undefined}
        placeholder="Search everything"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setPicked(undefined);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <kbd>Ctrl K</kbd>
      {shown && (
        <div id="suggestions" class="suggestions" role="listbox" aria-label="Suggestions">
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox may contain groups, not fieldsets
            <div key={group.title} role="group" aria-label={group.title}>
              <div class="suggestion-group" aria-hidden="true">
                {group.title}
              </div>
              {group.suggestions.map((suggestion) => {
                const index = suggestions.indexOf(suggestion);
                return (
                  <div
                    key={suggestion.href}
                    id={`suggestion-${index}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={index === chosen}
                    class="suggestion"
                    // A click would come too late: the field loses focus first, and the list closes.
                    onMouseDown={(event) => {
                      event.preventDefault();
                      choose(suggestion);
                    }}
                  >
                    <Icon name={suggestion.icon} />
                    <span class="cut">{suggestion.label}</span>
                    <span class="quiet cut">{suggestion.detail}</span>
                  </div>
                );
              })}
            </div>
          ))}
        </div>
      )}
    </search>
  );
}
