import { useState } from 'preact/hooks';
import { call } from '../data/client.ts';
import type { EventDetails } from './types.ts';

const FOLDED_LINES = 12;
/** How the API marks text that it cut. */
const CUT = /…(\[\+\d+\])?$/;

/** Text that is folded at twelve lines; the rest is fetched from its events when it is asked for. */
export function LongText(props: {
  readonly base: string;
  readonly text: string;
  /** The events that have the whole text, where the given one is its beginning. */
  readonly events?: readonly number[] | undefined;
}) {
  const { events = [] } = props;
  const [whole, setWhole] = useState<string>();
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const cut = events.length > 0 && CUT.test(props.text);
  const text = whole ?? props.text;
  const lines = text.split('\n');
  const long = lines.length > FOLDED_LINES || cut;
  const unfold = async () => {
    setOpen(!open);
    if (open || !cut || whole !== undefined) return;
    await Promise.all(events.map((event) => wholeEvent(props.base, event))).then(
      (texts) => setWhole(texts.join('\n')),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  const shown = open ? text : lines.slice(0, FOLDED_LINES).join('\n');
  return (
    <>
      <pre class="text">{open || !cut || whole === undefined ? shown : props.text}</pre>
      {problem && <p class="failed">{problem}</p>}
      {long && (
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

/** The whole text of an event, however many answers it takes. */
export async function wholeEvent(base: string, event: number, stop?: AbortSignal): Promise<string> {
  const signal = stop === undefined ? {} : { signal: stop };
  let text = '';
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const answer: { readonly data: EventDetails } = await call<EventDetails>(
      'GET',
      `${base}/events/${event}${offset === 0 ? '' : `?offset=${offset}`}`,
      signal,
    );
    text += answer.data.text ?? '';
    offset = answer.data.next_offset;
  }
  return text;
}
