import { useState } from 'preact/hooks';
import { countText, sizeText } from '../../../src/contract/people.ts';
import { withoutColours } from '../ui/shown-text.ts';
import { type ReadText, readOn, UNREAD } from './whole-text.ts';

const FOLDED_LINES = 12;
/** How the API marks text that it cut. */
const CUT = /…(\[\+\d+ bytes\])?$/;

/** Text that is folded at twelve lines; the rest is fetched from its events when it is asked for, in portions. */
export function LongText(props: {
  readonly base: string;
  readonly text: string;
  /** The events that have the whole text, where the given one is its beginning. */
  readonly events?: readonly number[] | undefined;
}) {
  const { events = [] } = props;
  const [read, setRead] = useState<ReadText>();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const cut = events.length > 0 && CUT.test(props.text);
  const text = withoutColours(open && read !== undefined ? read.text : props.text);
  const lines = text.split('\n');
  const long = lines.length > FOLDED_LINES || cut;
  const more = async () => {
    setBusy(true);
    setProblem(undefined);
    await readOn(props.base, events, read ?? UNREAD).then(setRead, (error: unknown) =>
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
      <pre class="text">{open ? text : lines.slice(0, FOLDED_LINES).join('\n')}</pre>
      {problem && <p class="failed">{problem}</p>}
      {open && read?.next !== undefined && (
        <button type="button" class="button small plain unfold" disabled={busy} onClick={() => void more()}>
          {read.left > 0 ? `Show more of the ${sizeText(read.left)} left` : 'Show more'}
        </button>
      )}
      {long && (
        <button type="button" class="button small plain unfold" aria-expanded={open} onClick={unfold}>
          {open ? 'Fold' : cut ? 'Show all' : `Show all ${countText(lines.length)} lines`}
        </button>
      )}
    </>
  );
}
