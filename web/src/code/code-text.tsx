import type { VNode } from 'preact';
import { knownLanguage } from '../../../src/code/languages.ts';
import { grammarOf, type Token, useHighlight } from './use-highlight.ts';
import './code-text.css';

/** Source text with syntax colours and its matches highlighted; one line, or a block. */
export function CodeText(props: {
  /** Decides the language if none is given. */
  readonly path?: string;
  readonly language?: string;
  readonly text: string;
  readonly marks?: RegExp | undefined;
  readonly block?: boolean;
  /** Numbers the lines of a block. */
  readonly firstLine?: number;
}) {
  const { path, language } = props;
  const lines = useHighlight(
    path !== undefined ? grammarOf(path) : knownLanguage(language ?? ''),
    props.text,
  );
  if (props.block) {
    return (
      <pre class="code">
        {lines.map((line, i) => (
          <>
            {props.firstLine !== undefined && <span class="code-number">{props.firstLine + i}</span>}
            <CodeLine tokens={line} marks={props.marks} />
            {'\n'}
          </>
        ))}
      </pre>
    );
  }
  return (
    <code class="code-line">
      <CodeLine tokens={lines[0] ?? []} marks={props.marks} />
    </code>
  );
}

/** One line: tokens decide the colour, matches are highlighted; a match may span several tokens. */
export function CodeLine({
  tokens,
  marks,
}: {
  readonly tokens: readonly Token[];
  readonly marks?: RegExp | readonly Range[] | undefined;
}) {
  const text = tokens.map(([part]) => part).join('');
  const ranges = marks instanceof RegExp ? rangesOf(text, marks) : (marks ?? []);
  const parts: VNode[] = [];
  let at = 0;
  for (const [part, kind] of tokens) {
    for (const piece of piecesOf(part, at, ranges)) {
      const key = `${at}.${piece.from}`;
      const name = kind === 0 ? undefined : `k${kind}`;
      parts.push(
        piece.marked ? (
          <mark key={key} class={name}>
            {piece.text}
          </mark>
        ) : (
          <span key={key} class={name}>
            {piece.text}
          </span>
        ),
      );
    }
    at += part.length;
  }
  return <>{parts}</>;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

function rangesOf(text: string, marks: RegExp): Range[] {
  if (text.length > 2_000) return [];
  return [...text.matchAll(marks)]
    .filter(([found]) => found !== '')
    .map((match) => ({ from: match.index, to: match.index + match[0].length }));
}

/** A token, cut where matches start and end. */
function piecesOf(part: string, start: number, ranges: readonly Range[]) {
  const pieces: { readonly text: string; readonly from: number; readonly marked: boolean }[] = [];
  let from = 0;
  for (const range of ranges) {
    const left = Math.max(from, range.from - start);
    const right = Math.min(part.length, range.to - start);
    if (right <= left || right <= 0) continue;
    if (left > from) pieces.push({ text: part.slice(from, left), from, marked: false });
    pieces.push({ text: part.slice(left, right), from: left, marked: true });
    from = right;
  }
  if (from < part.length) pieces.push({ text: part.slice(from), from, marked: false });
  return pieces;
}
