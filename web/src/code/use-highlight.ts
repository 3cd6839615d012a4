import { useEffect, useState } from 'preact/hooks';
import { languageOf } from '../../../src/code/languages.ts';
import { send } from '../data/client.ts';

/** A piece of text and its token kind. */
export type Token = readonly [text: string, kind: number];
export type Lines = readonly (readonly Token[])[];

const CACHED_TEXTS = 400;
const known = new Map<string, Lines>();

/** The grammar of a file; extensions that search treats as one language may need different grammars. */
export function grammarOf(path: string): string | undefined {
  return /\.[jt]sx$/i.test(path) ? 'tsx' : languageOf(path);
}

/** Text as tokens: plain at first, with syntax colours once the server has parsed it. */
export function useHighlight(language: string | undefined, text: string): Lines {
  const key = `${language}\n${text}`;
  const [lines, setLines] = useState<{ readonly key: string; readonly lines: Lines } | undefined>();
  useEffect(() => {
    if (language === undefined || known.has(key)) return;
    const stop = new AbortController();
    const body = { language, code: text };
    send<{ readonly lines?: Lines }>('POST', '/api/highlight', { body, signal: stop.signal }).then(
      ({ data }) => {
        if (data.lines === undefined) return;
        known.set(key, data.lines);
        const oldest = known.keys().next().value;
        if (known.size > CACHED_TEXTS && oldest !== undefined) known.delete(oldest);
        setLines({ key, lines: data.lines });
      },
      // The text stays plain.
      () => {},
    );
    return () => stop.abort();
  }, [key]);
  if (lines?.key === key) return lines.lines;
  return known.get(key) ?? text.split('\n').map((line): readonly Token[] => [[line, 0]]);
}
