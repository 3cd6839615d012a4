import './middle-cut.css';

/** How many characters at the end are the last to be cut. */
const END_CHARS = 12;

/** A path in one line: where it does not fit, folders go first, then the middle of the name; its end can be read. */
export function MiddleCut({ text }: { readonly text: string }) {
  const name = Math.max(0, text.lastIndexOf('/'));
  const end = Math.max(name, text.length - END_CHARS);
  return (
    <span class="middle-cut">
      {/* The parts would be read out as words of their own. */}
      <span class="hidden-text">{text}</span>
      <span class="middle-head" aria-hidden="true">
        {text.slice(0, name)}
      </span>
      <span class="middle-name" aria-hidden="true">
        {text.slice(name, end)}
      </span>
      <span class="middle-tail" aria-hidden="true">
        {text.slice(end)}
      </span>
    </span>
  );
}
