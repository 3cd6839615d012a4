import { pageLinks, param } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { goToPath } from './go-to-path.ts';

/** A path with a link for every folder. */
export function PathCrumbs(props: {
  readonly path: string;
  /** The open index; links to its folders stay inside it. */
  readonly index?: string;
}) {
  const { path, index } = props;
  const parts = path.split('/').filter((part) => part !== '');
  const kept = { f: param('f'), tab: param('tab'), by: param('by') };
  useTitle(path);
  const link = (to: string) => ({
    href: pageLinks.path(to, kept),
    onClick: (event: MouseEvent) => {
      if (index === undefined || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void goToPath(index, to);
    },
  });
  return (
    <>
      <h1 class="hidden-text">{path}</h1>
      <nav class="crumbs mono" aria-label="Path">
        <a {...link('/')}>/</a>
        {parts.map((part, i) => {
          const here = `/${parts.slice(0, i + 1).join('/')}`;
          return (
            <span key={here}>
              <a {...link(here)} aria-current={i === parts.length - 1 ? 'page' : undefined}>
                {part}
              </a>
              {i < parts.length - 1 && <span class="quiet">/</span>}
            </span>
          );
        })}
      </nav>
    </>
  );
}
