import { useEffect, useRef } from 'preact/hooks';
import { usePages } from '../data/use-pages.ts';
import { go, param, withQuery } from '../frame/router.ts';
import { countText } from '../ui/format.ts';
import { useMarkedText } from '../ui/marked-text.ts';
import { useTypedText } from '../ui/use-typed-text.ts';

const DEBOUNCE_MS = 120;

/** Finds text in the whole session; Enter goes to the next match, Shift+Enter to the previous one. */
export function FindInSession({ session }: { readonly session: string }) {
  const asked = param('find') ?? '';
  const [text, setText] = useTypedText(
    asked,
    (find) => go(withQuery({ find }), { replace: true }),
    DEBOUNCE_MS,
  );
  const field = useRef<HTMLInputElement>(null);
  const pages = usePages(
    'search_event_previews',
    asked.length < 2 ? undefined : { query: asked, session_id: session, order: 'oldest', limit: 50 },
    (data) => data.matches,
  );
  useMarkedText('.transcript', asked.length < 2 ? '' : asked);
  const matches = asked.length < 2 || !pages.current ? [] : pages.rows;
  const at = matches.findIndex((match) => String(match.event_index) === param('event'));
  const move = (by: 1 | -1) => {
    const next = matches.at(at < 0 ? (by > 0 ? 0 : -1) : (at + by) % matches.length);
    if (next === undefined) return;
    if (matches.indexOf(next) >= matches.length - 2) pages.more();
    go(
      withQuery({
        turn: next.turn_index ?? 0,
        step: next.step_index,
        event: next.event_index,
        show: undefined,
      }),
      { replace: true },
    );
  };
  useEffect(() => {
    // The browser's own search only sees the visible rows; a second press still opens it.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || document.activeElement === field.current)
        return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const total = pages.total ?? matches.length;
  return (
    <search class="find-in-session">
      <input
        ref={field}
        type="search"
        class="field"
        aria-label="Find in this session"
        placeholder="Find in session (Ctrl F)"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          move(event.shiftKey ? -1 : 1);
        }}
      />
      <span class="quiet num" role="status">
        {asked.length >= 2 &&
          pages.first &&
          (matches.length === 0
            ? pages.loading
              ? ''
              : 'No matches'
            : `${at < 0 ? '–' : countText(at + 1)} of ${countText(total)}${pages.total === undefined && pages.hasMore ? '+' : ''}`)}
      </span>
    </search>
  );
}
