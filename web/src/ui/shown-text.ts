import { options } from 'preact';
import { printable } from '../../../src/contract/bytes.ts';

/** Attributes that people read or hear. */
const READ = ['title', 'aria-label', 'placeholder'] as const;
/** How programs colour what they print. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

/**
 * Text as it may be shown: what is invisible, or turns the direction of what follows, is written as an escape, so that
 * no name can look like another. Carriage returns stay: they are how some systems end a line.
 */
export function shownText(text: string): string {
  const shown = printable(text);
  return shown === text ? text : text.split('\r').map(printable).join('\r');
}

/** What a program printed, without its colours. */
export function withoutColours(text: string): string {
  return text.replace(COLOURS, '');
}

/** Lets every text on the page pass {@link shownText}, wherever it comes from; addresses stay as they are. */
export function startShownText(): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    const props: unknown = vnode.props;
    if (typeof props === 'string') {
      Object.assign(vnode, { props: shownText(props) });
    } else if (typeof vnode.type === 'string') {
      const given: Readonly<Record<string, unknown>> = { ...vnode.props };
      for (const name of READ) {
        const value = given[name];
        if (typeof value === 'string') Object.assign(vnode.props, { [name]: shownText(value) });
      }
    }
    before?.(vnode);
  };
}
