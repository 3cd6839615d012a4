import { useEffect, useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { Icon } from '../ui/icon.tsx';
import type { SessionSummary } from './types.ts';

const MAX_NOTE_LENGTH = 2_000;

interface Marked {
  readonly summary: SessionSummary;
}

/** Stars a session, or removes the star. */
export function StarButton({ summary }: Marked) {
  const [starred, setStarred] = useState(summary.starred === true);
  useEffect(() => setStarred(summary.starred === true), [summary.starred]);
  const toggle = () =>
    void call('mark_session', { session_id: summary.id, starred: !starred }).then(
      ({ data }) => setStarred(data.starred),
      () => {},
    );
  return (
    <button
      type="button"
      class={starred ? 'star on' : 'star'}
      aria-pressed={starred}
      aria-label="Star"
      title={starred ? 'Remove the star' : 'Star this session'}
      onClick={toggle}
    >
      <Icon name="star" />
    </button>
  );
}

/** The note on a session: a click edits it, Enter or leaving the field saves it. */
export function SessionNote({ summary }: Marked) {
  const [note, setNote] = useState(summary.note ?? '');
  const [state, setState] = useState<'shown' | 'open' | 'failed'>('shown');
  useEffect(() => setNote(summary.note ?? ''), [summary.note]);
  const save = (text: string) =>
    void call('mark_session', { session_id: summary.id, note: text }).then(
      ({ data }) => {
        setNote(data.note ?? '');
        setState('shown');
      },
      () => setState('failed'),
    );
  if (state === 'shown')
    return (
      <button
        type="button"
        class="note-button"
        title="Change the note; only on this machine"
        onClick={() => setState('open')}
      >
        <Icon name="note" /> {note === '' ? 'Add a note' : note}
      </button>
    );
  return (
    <>
      <input
        class="field note-field"
        aria-label="Note"
        maxLength={MAX_NOTE_LENGTH}
        // biome-ignore lint/a11y/noAutofocus: the click that opened it asked for it
        autoFocus
        defaultValue={note}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
          if (event.key === 'Escape') {
            event.stopPropagation();
            setState('shown');
          }
        }}
        onBlur={(event) => save(event.currentTarget.value)}
      />
      {state === 'failed' && <span class="failed">The note could not be saved.</span>}
    </>
  );
}
