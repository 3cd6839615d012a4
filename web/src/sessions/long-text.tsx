import { useState } from 'preact/hooks';
import { Markdown } from '../markdown/markdown.tsx';
import { countText, sizeText } from '../ui/format.ts';
import { PathText } from '../ui/path-text.tsx';
import { withoutColours } from '../ui/shown-text.ts';
import { type ReadText, readMore, UNREAD } from './read-text.ts';

const LINES_SHOWN = { text: 12, markdown: 60 } as const;
/** How the API marks truncated text. */
const CUT = /…(\[\+\d+ bytes\])?$/;

/** The first lines of a text; the rest is loaded from its events on demand, in portions. */
export function LongText(props: {
  readonly session: string;
  readonly text: string;
  /** The events that contain the whole text, if the given text is only its beginning. */
  readonly events?: readonly number[] | undefined;
  /** How to show it; plain text by default. */
  readonly as?: 'text' | 'markdown';
}) {
  const { events = [], as: look = 'text' } = props;
  const [read, setRead] = useState<ReadText>();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const cut = events.length > 0 && CUT.test(props.text);
  const text = withoutColours(open && read !== undefined ? read.text : props.text);
  const lines = text.split('\n');
  const long = lines.length > LINES_SHOWN[look] || cut;
  const shown = open ? text : lines.slice(0, LINES_SHOWN[look]).join('\n');
  const more = async () => {
    setBusy(true);
    setProblem(undefined);
    await readMore(props.session, events, read ?? UNREAD).then(setRead, (error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    );
    setBusy(false);
  };
  const unfold = () => {
    setOpen(!open);
    if (!open && cut && read === undefined) void more();
  };
  return (
    <>
      {look === 'markdown' ? (
        <Markdown text={shown} />
      ) : (
        <pre class="text">
          <PathText text={shown} />
        </pre>
      )}
      {problem && <p class="failed">{problem}</p>}
      {open && read?.next !== undefined && (
        <button type="button" class="button small plain unfold" disabled={busy} onClick={() => void more()}>
          {read.left > 0 ? `Show more (${sizeText(read.left)} left)` : 'Show more'}
        </button>
      )}
      {long && (
        <button type="button" class="button small plain unfold" aria-expanded={open} onClick={unfold}>
          {open ? 'Show less' : cut ? 'Show all' : `Show all ${countText(lines.length)} lines`}
        </button>
      )}
    </>
  );
}
