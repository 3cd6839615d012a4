import './middle-cut.css';

/** How many characters to keep at the end of a text without a file name. */
const END_CHARS = 28;

/** A path on one line: if it does not fit, its middle is left out, so that the name stays readable. */
export function MiddleCut({ text }: { readonly text: string }) {
  const slash = text.lastIndexOf('/');
  const at = slash > 0 ? slash : Math.max(0, text.length - END_CHARS);
  return (
    <span class="middle-cut">
      <span class="middle-head">{text.slice(0, at)}</span>
      <span class="middle-tail">{text.slice(at)}</span>
    </span>
  );
}
