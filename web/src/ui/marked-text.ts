import { useEffect } from 'preact/hooks';

const NAME = 'found';
const MAX_RANGES = 2_000;

/**
 * Marks every occurrence of a text in the elements that match a selector, without changing them. Rows of long lists
 * come and go, so it searches again whenever something changes.
 */
export function useMarkedText(selector: string, text: string): void {
  useEffect(() => {
    if (text === '' || !('highlights' in CSS)) return;
    const wanted = text.toLowerCase();
    let frame = 0;
    const mark = () => {
      const ranges: Range[] = [];
      for (const element of document.querySelectorAll(selector)) {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (
          let node = walker.nextNode();
          node !== null && ranges.length < MAX_RANGES;
          node = walker.nextNode()
        ) {
          const lower = (node.textContent ?? '').toLowerCase();
          for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
            const range = new Range();
            range.setStart(node, at);
            range.setEnd(node, at + wanted.length);
            ranges.push(range);
          }
        }
      }
      CSS.highlights.set(NAME, new Highlight(...ranges));
    };
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    });
    for (const element of document.querySelectorAll(selector))
      observer.observe(element, { childList: true, subtree: true, characterData: true });
    mark();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [selector, text]);
}
