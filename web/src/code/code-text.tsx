import type { VNode } from 'preact';
import { type Token, useHighlight } from './use-highlight.ts';

/** Source text with syntax colours and its matches highlighted; one line, or a block. */
export function CodeText(props: {
  readonly path: string;
  readonly text: string;
  readonly marks?: RegExp | undefined;
  readonly block?: boolean;
}) {
  const lines = useHighlight(props.path, props.text);
  if (props.block) {
    return (
      <pre class="code">
        {lines.map((line) => (
          <>
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
  readonly marks?: RegExp | undefined;
}) {
  const text = tokens.map(([part]) => part).join('');
  const ranges = marks === undefined ? [] : rangesOf(text, marks);
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

interface Range {
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
