import './middle-cut.css';

/** How many characters at the end stay where there is no name. */
const END_CHARS = 28;

/** A path in one line: where it does not fit, its middle is left out, so that the name can be read. */
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
