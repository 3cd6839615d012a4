import { useMemo, useState } from 'preact/hooks';
import { CodeLine } from '../code/code-text.tsx';
import { grammarOf, useHighlight } from '../code/use-highlight.ts';
import { diffLines, type LineKind } from './diff-lines.ts';
import './diff.css';

const LINES_SHOWN = 40;
/** A longer diff is shown without colours. */
const MAX_COLOURED_LINES = 2_000;

const SIGNS: Readonly<Record<LineKind, string>> = { in: '+', out: '−', same: ' ', place: '' };

/** Removed and added lines in the colours of their language, with the changed words marked. */
export function Diff({ text, path }: { readonly text: string; readonly path?: string | undefined }) {
  const [open, setOpen] = useState(false);
  const lines = useMemo(() => diffLines(text), [text]);
  const shown = open ? lines : lines.slice(0, LINES_SHOWN);
  const grammar = path === undefined || shown.length > MAX_COLOURED_LINES ? undefined : grammarOf(path);
  const tokens = useHighlight(grammar, shown.map((line) => line.text).join('\n'));
  return (
    <>
      <pre class="diff">
        {shown.map(({ kind, text: line, changed }, i) => (
          <span key={i} class={`diff-line diff-${kind}`}>
            <span class="diff-sign">{SIGNS[kind]}</span>
            <CodeLine tokens={kind === 'place' ? [[line, 0]] : (tokens[i] ?? [[line, 0]])} marks={changed} />
            {'\n'}
          </span>
        ))}
      </pre>
      {lines.length > LINES_SHOWN && (
        <button
          type="button"
          class="button small plain unfold"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Show less' : `Show all ${lines.length} lines`}
        </button>
      )}
    </>
  );
}
