import { useEffect, useState } from 'preact/hooks';
import { languageOf } from '../../../src/code/languages.ts';
import { call } from '../data/client.ts';

/** A piece of text and which kind of token it is. */
export type Token = readonly [text: string, kind: number];
export type Lines = readonly (readonly Token[])[];

const KEPT = 400;
const known = new Map<string, Lines>();

/** Names the grammar of a file; endings that the search counts as one language may need another. */
function grammarOf(path: string): string | undefined {
  return /\.[jt]sx$/i.test(path) ? 'tsx' : languageOf(path);
}

/** Text in tokens: at first plain, coloured when the server has read it. Nothing is run in the browser. */
export function useHighlight(path: string, text: string): Lines {
  const language = grammarOf(path);
  const key = `${language}\n${text}`;
  const [lines, setLines] = useState<{ readonly key: string; readonly lines: Lines } | undefined>();
  useEffect(() => {
    if (language === undefined || known.has(key)) return;
    const stop = new AbortController();
    const body = { language, code: text };
    call<{ readonly lines?: Lines }>('POST', '/api/highlight', { body, signal: stop.signal }).then(
      ({ data }) => {
        if (data.lines === undefined) return;
        known.set(key, data.lines);
        const oldest = known.keys().next().value;
        if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
        setLines({ key, lines: data.lines });
      },
      // Plain text stays.
      () => {},
    );
    return () => stop.abort();
  }, [key]);
  if (lines?.key === key) return lines.lines;
  return known.get(key) ?? text.split('\n').map((line): readonly Token[] => [[line, 0]]);
}
