import { type MarkedToken, marked, type Token } from 'marked';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { CodeText } from '../code/code-text.tsx';
import { PathText } from '../ui/path-text.tsx';
import { isPlain } from './plain.ts';
import './markdown.css';

/** Longer texts are shown as they are. */
const MAX_CHARACTERS = 200_000;
/** Addresses that a text may link to; all others are shown as text. */
const SAFE_ADDRESS = /^(https?:|mailto:)/i;

/**
 * Markdown as elements. It never becomes HTML on the way: tags in the text are shown as text, images as links, and
 * only web and mail addresses are links.
 */
export function Markdown({ text }: { readonly text: string }) {
  if (!isPlain(text)) return <MarkedText text={text} />;
  return (
    <div class="markdown">
      <p>
        <PathText text={text} />
      </p>
    </div>
  );
}

function MarkedText({ text }: { readonly text: string }) {
  const tokens = useMemo(
    () => (text.length > MAX_CHARACTERS ? undefined : marked.lexer(text, { gfm: true, breaks: true })),
    [text],
  );
  if (tokens === undefined) return <pre class="text">{text}</pre>;
  return (
    <div class="markdown">
      <Blocks tokens={tokens} />
    </div>
  );
}

function Blocks({ tokens }: { readonly tokens: readonly Token[] }) {
  return (
    <>
      {tokens.map((token, i) => (
        <Block key={i} token={known(token)} />
      ))}
    </>
  );
}

/** Without extensions, the lexer produces no other tokens. */
function known(token: Token): MarkedToken {
  return token as MarkedToken;
}

function Block({ token }: { readonly token: MarkedToken }) {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      // The page has its own headings, so those of a text must stay out of its outline.
      return (
        <p class={`md-heading md-h${Math.min(4, token.depth)}`}>
          <Inline tokens={token.tokens} />
        </p>
      );
    case 'paragraph':
      return (
        <p>
          <Inline tokens={token.tokens} />
        </p>
      );
    case 'code':
      return <CodeText language={(token.lang ?? '').split(/\s/)[0] ?? ''} text={token.text} block />;
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens} />
        </blockquote>
      );
    case 'list': {
      const items = token.items.map((item, i) => (
        <li key={i}>
          {item.task && <input type="checkbox" aria-label="Done" checked={item.checked === true} disabled />}
          <Blocks tokens={item.tokens.filter(({ type }) => type !== 'checkbox')} />
        </li>
      ));
      return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable with the keyboard
        <section class="scroll-x" tabIndex={0} aria-label="Table">
          <table>
            <thead>
              <tr>
                {token.header.map((cell, i) => (
                  <th key={i}>
                    <Inline tokens={cell.tokens} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {token.rows.map((row, i) => (
                <tr key={i}>
                  {row.map((cell, j) => (
                    <td key={j}>
                      <Inline tokens={cell.tokens} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      );
    case 'hr':
      return <hr />;
    case 'html':
      return <p>{token.text}</p>;
    case 'text':
      return token.tokens === undefined ? <PathText text={token.text} /> : <Inline tokens={token.tokens} />;
    default:
      return <p>{token.raw}</p>;
  }
}

function Inline({ tokens }: { readonly tokens: readonly Token[] }): ComponentChildren {
  return tokens.map((token, i) => <Piece key={i} token={known(token)} />);
}

function Piece({ token }: { readonly token: MarkedToken }) {
  switch (token.type) {
    case 'strong':
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case 'del':
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      );
    case 'codespan':
      return (
        <code>
          <PathText text={token.text} />
        </code>
      );
    case 'br':
      return <br />;
    case 'link':
      return (
        <WebLink href={token.href}>
          <Inline tokens={token.tokens} />
        </WebLink>
      );
    case 'image':
      return <WebLink href={token.href}>{token.text || token.href}</WebLink>;
    case 'text':
      return token.tokens === undefined ? <PathText text={token.text} /> : <Inline tokens={token.tokens} />;
    case 'escape':
      return <>{token.text}</>;
    default:
      return <>{token.raw}</>;
  }
}

function WebLink({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  if (!SAFE_ADDRESS.test(href)) return <span title={href}>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}
