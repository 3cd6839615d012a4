import { useState } from 'preact/hooks';
import { call } from '../data/client.ts';
import type { EventDetails } from './types.ts';

const FOLDED_LINES = 12;
const CUT = /…\[\+\d+\]$/;

/** Text that is folded at twelve lines; the rest is fetched from its event when it is asked for. */
export function LongText(props: {
  readonly base: string;
  readonly text: string;
  /** The event that has the whole text, where the given one is its beginning. */
  readonly event?: number | undefined;
}) {
  const [whole, setWhole] = useState<string>();
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const cut = CUT.test(props.text);
  const text = whole ?? props.text;
  const lines = text.split('\n');
  const long = lines.length > FOLDED_LINES || (cut && whole === undefined);
  const unfold = async () => {
    setOpen(!open);
    if (open || !cut || whole !== undefined || props.event === undefined) return;
    await call<EventDetails>('GET', `${props.base}/events/${props.event}`).then(
      ({ data }) => setWhole(data.text ?? ''),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <>
      <pre class="text">{open ? text : lines.slice(0, FOLDED_LINES).join('\n')}</pre>
      {problem && <p class="failed">{problem}</p>}
      {long && (props.event !== undefined || lines.length > FOLDED_LINES) && (
        <button
          type="button"
          class="button small plain unfold"
          aria-expanded={open}
          onClick={() => void unfold()}
        >
          {open ? 'Fold' : cut && whole === undefined ? 'Show all' : `Show all ${lines.length} lines`}
        </button>
      )}
    </>
  );
}
