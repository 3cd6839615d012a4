import type { ComponentChildren } from 'preact';
import type { ApiError } from '../data/client.ts';
import { pageLinks } from '../frame/router.ts';
import { CopyLine } from './copy-line.tsx';

const WIDTHS = [92, 78, 85, 64, 88, 71, 90, 60, 82, 75, 94, 67, 80, 73, 87, 62];

/** Grey bars where content will appear, with the same height, so that nothing jumps. */
export function Skeleton({ lines = 6, tall = false }: { readonly lines?: number; readonly tall?: boolean }) {
  return (
    <div class={tall ? 'skeleton tall' : 'skeleton'} aria-hidden="true">
      {WIDTHS.slice(0, lines).map((width) => (
        <div key={width} class="skeleton-bar" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

/** What to do when there is nothing to show, with a command to copy. */
export function Empty(props: {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly command?: string | undefined;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children && <div class="empty-text">{props.children}</div>}
      {props.command && <CopyLine text={props.command} />}
    </div>
  );
}

/** Messages for people, where the error's own message names what an agent would call next. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  session_not_found: 'There is no session with this id. Its log was deleted, or has not been read yet.',
  index_not_found: 'There is no such index. It was deleted.',
  node_not_found: 'This is no longer in the index. It was moved or deleted.',
  invalid_turn_index: 'The session has no such turn.',
  search_timeout: 'The search took too long. Narrow it: a folder, a file type, or a longer text.',
  rate_limited: 'Too many requests at once. Try again in a moment.',
};

/** An API error; its message says how to fix it. */
export function Failure(props: {
  readonly error: ApiError;
  readonly retry?: () => void;
  /** Where to go instead: a link. */
  readonly children?: ComponentChildren;
}) {
  const { error, retry } = props;
  const refused = error.code === 'path_not_allowed' ? error.details.path : undefined;
  if (typeof refused === 'string') {
    return (
      <div class="empty failure" role="alert">
        <p class="empty-title">Pinhole is not allowed to read {refused}.</p>
        <p>
          <a href={pageLinks.path(refused)}>Allow this folder…</a>
        </p>
        {props.children}
      </div>
    );
  }
  return (
    <div class="empty failure" role="alert">
      <p class="empty-title">{FOR_PEOPLE[error.code] ?? error.message}</p>
      {retry && error.retryable && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
      {props.children}
    </div>
  );
}
