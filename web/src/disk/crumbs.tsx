import { href, param } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';

/** A path of which every folder is a link. */
export function Crumbs({ path }: { readonly path: string }) {
  const parts = path.split('/').filter((part) => part !== '');
  const f = param('f');
  useTitle(path);
  return (
    <>
      <h1 class="hidden-text">{path}</h1>
      <nav class="crumbs mono" aria-label="Path">
        <a href={href('/disk', { path: '/', f })}>/</a>
        {parts.map((part, i) => {
          const here = `/${parts.slice(0, i + 1).join('/')}`;
          return (
            <span key={here}>
              <a
                href={href('/disk', { path: here, f })}
                aria-current={i === parts.length - 1 ? 'page' : undefined}
              >
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
