import { createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { serve } from '../threads/serve.ts';
import { GRAMMARS } from './highlight-grammars.ts';
import { TOKEN_THEME, tokenClass } from './highlight-theme.ts';

/** A piece of text and what kind of token it is. */
export type Token = readonly [text: string, kind: number];

export interface HighlightOrder {
  readonly language: string;
  readonly code: string;
}

let highlighter: Promise<HighlighterCore> | undefined;

/** Undefined for a language without a grammar. */
async function highlight({
  language,
  code,
}: HighlightOrder): Promise<readonly (readonly Token[])[] | undefined> {
  const grammar = GRAMMARS[language];
  if (grammar === undefined) return undefined;
  highlighter ??= createHighlighterCore({
    themes: [TOKEN_THEME],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const shiki = await highlighter;
  if (!shiki.getLoadedLanguages().includes(language)) await shiki.loadLanguage(grammar);
  const options = {
    lang: language,
    theme: TOKEN_THEME.name,
    tokenizeMaxLineLength: 2_000,
    // Grammars compile on their first lines, which is slow; a thread that does not answer in time is ended from outside.
    tokenizeTimeLimit: 0,
  };
  return shiki.codeToTokensBase(code, options).map((line) => {
    const merged: [string, number][] = [];
    for (const { content, color } of line) {
      const kind = tokenClass(color);
      const last = merged.at(-1);
      if (last !== undefined && (last[1] === kind || content.trim() === '')) last[0] += content;
      else merged.push([content, kind]);
    }
    return merged;
  });
}

const methods = { highlight };
export type HighlightMethods = typeof methods;

serve(methods);
