import { segment } from './router.ts';
import { about } from './title.ts';
import { VIEW_NAMES } from './views.ts';

/** Where one is: the view, and in it what is looked at. */
export function Trail() {
  const view = segment(0) ?? '';
  const name = VIEW_NAMES[view];
  if (name === undefined) return null;
  // A path is shown whole by the view itself, folder by folder.
  const thing = about.value?.startsWith('/') ? undefined : about.value;
  const deep = segment(1) !== undefined;
  return (
    <nav class="trail" aria-label="Breadcrumb">
      <a href={`/${view}`} aria-current={deep || thing ? undefined : 'page'}>
        {name}
      </a>
      {thing && (
        <>
          <span aria-hidden="true">/</span>
          <span class="cut" title={thing} aria-current="page">
            {thing}
          </span>
        </>
      )}
    </nav>
  );
}
