import './middle-cut.css';

/** How many characters at the end always stay. */
const KEPT = 28;

/** A path in one line: where it does not fit, its middle is left out, so that the name can be read. */
export function MiddleCut({ text }: { readonly text: string }) {
  const at = Math.max(0, text.lastIndexOf('/'), text.length - KEPT);
  return (
    <span class="middle-cut">
      <span class="middle-head">{text.slice(0, at)}</span>
      <span class="middle-tail">{text.slice(at)}</span>
    </span>
  );
}
