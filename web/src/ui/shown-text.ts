import { options } from 'preact';
import { printable } from '../../../src/contract/bytes.ts';

/** Attributes that people see or hear. */
const READABLE = ['title', 'aria-label', 'placeholder'] as const;
/** Terminal colour codes in program output. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

/**
 * Text that is safe to show: characters that are invisible or change the text direction are written as escapes, so that
 * no name can look like another. Carriage returns stay, because some systems end lines with them.
 */
export function shownText(text: string): string {
  const shown = printable(text);
  return shown === text ? text : text.split('\r').map(printable).join('\r');
}

/** The output of a program without its colours. */
export function withoutColours(text: string): string {
  return text.replace(COLOURS, '');
}

/** Passes every text on the page through {@link shownText}, wherever it comes from; addresses stay as they are. */
export function startShownText(): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    const props: unknown = vnode.props;
    if (typeof props === 'string') {
      Object.assign(vnode, { props: shownText(props) });
    } else if (typeof vnode.type === 'string') {
      const given: Readonly<Record<string, unknown>> = { ...vnode.props };
      for (const name of READABLE) {
        const value = given[name];
        if (typeof value === 'string') Object.assign(vnode.props, { [name]: shownText(value) });
      }
    }
    before?.(vnode);
  };
}
