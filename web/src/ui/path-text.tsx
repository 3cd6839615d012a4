import { useMemo } from 'preact/hooks';
import { useCodeLink } from './code-root.ts';
import { pathParts } from './path-parts.ts';

/** Text in which every file is a link to its code. */
export function PathText({ text }: { readonly text: string }) {
  const parts = useMemo(() => pathParts(text), [text]);
  const linkTo = useCodeLink();
  return (
    <>
      {parts.map((part, i) => {
        const href = part.path === undefined ? undefined : linkTo(part.path, part.line);
        return href === undefined ? (
          part.text
        ) : (
          <a key={i} class="path-link" href={href}>
            {part.text}
          </a>
        );
      })}
    </>
  );
}
