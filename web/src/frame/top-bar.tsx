import { connected } from '../data/client.ts';
import { signedIn, signOut } from '../sign-in/session.ts';
import { Icon } from '../ui/icon.tsx';
import { Breadcrumb } from './breadcrumb.tsx';
import { freshness } from './freshness.tsx';
import { GlobalSearch } from './global-search.tsx';
import { helpOpen } from './help.tsx';
import { switchTheme, theme } from './theme.ts';

/** The search field, the breadcrumb, the age of the data, and buttons for every view. */
export function TopBar() {
  const dark = theme.value === 'dark';
  return (
    <header class="top-bar">
      <GlobalSearch />
      <Breadcrumb />
      <div class="top-side">
        <span class="freshness" role="status">
          {connected.value ? (
            freshness.value
          ) : (
            <span class="badge warning">Connection lost, reconnecting…</span>
          )}
        </span>
        <button
          type="button"
          class="button plain icon-only"
          aria-label={dark ? 'Light theme' : 'Dark theme'}
          title={dark ? 'Light theme (t)' : 'Dark theme (t)'}
          onClick={switchTheme}
        >
          <Icon name={dark ? 'sun' : 'moon'} />
        </button>
        <button
          type="button"
          class="button plain icon-only"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={() => {
            helpOpen.value = true;
          }}
        >
          <Icon name="question" />
        </button>
        {signedIn.value && (
          <button type="button" class="button small plain" onClick={() => void signOut()}>
            Sign out
          </button>
        )}
      </div>
    </header>
  );
}
