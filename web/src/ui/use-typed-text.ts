import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * The text of a field that searches as you type. The address follows the text after a short wait, and the text follows
 * the address when something else changes it. What the field itself put there is older than what was typed since, so it
 * never replaces that.
 */
export function useTypedText(
  asked: string,
  search: (text: string) => void,
  waitMs: number,
): readonly [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(asked);
  const sent = useRef(asked);
  useEffect(() => {
    if (asked.trim() === sent.current.trim()) return;
    sent.current = asked;
    setText(asked);
  }, [asked]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      search(text);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
