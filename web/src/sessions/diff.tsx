import { useState } from 'preact/hooks';
import './diff.css';

const LINES_SHOWN = 40;

/** Removed and added lines. */
export function Diff({ text }: { readonly text: string }) {
  const [open, setOpen] = useState(false);
  const lines = text.split('\n');
  const shown = open ? lines : lines.slice(0, LINES_SHOWN);
  return (
    <>
      <pre class="diff">
        {shown.map((line, i) => (
          <span key={i} class={toneOf(line)}>
            {`${line}\n`}
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

function toneOf(line: string): string {
  if (/^(\+\+\+|---|\*\*\*|@@| @@)/.test(line)) return 'diff-place';
  return line.startsWith('+') ? 'diff-in' : line.startsWith('-') ? 'diff-out' : '';
}
