import { useEffect, useRef } from 'preact/hooks';
import { signedOut } from './data/client.ts';
import { currentView, viewAt } from './frame/current-view.ts';
import { Help } from './frame/help.tsx';
import { useKeptFocus } from './frame/kept-focus.ts';
import { lazy } from './frame/lazy.tsx';
import { Rail } from './frame/rail.tsx';
import { ReadingLine } from './frame/reading-line.tsx';
import { type Place, place } from './frame/router.ts';
import { subject } from './frame/title.ts';
import { TopBar } from './frame/top-bar.tsx';
import { ViewBoundary } from './frame/view-boundary.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';
import { Empty } from './ui/states.tsx';
import { VIEWS } from './views.ts';

const COMPONENTS = new Map(VIEWS.map(({ path, load }) => [path, lazy(load)]));

/** Loads the code of the view at an address before the view is drawn. */
export function preloadView(at: Place): void {
  COMPONENTS.get(viewAt(at)?.path ?? '/')?.preload();
}

function CurrentView() {
  const view = currentView();
  const found = view && COMPONENTS.get(view.path);
  if (found !== undefined) return <found.View />;
  return (
    <Empty title={`There is no page at ${place.value.path}.`}>
      <a href="/">Home</a>
    </Empty>
  );
}

export function App() {
  const view = currentView();
  const name = view?.path === '/' ? undefined : view?.label;
  const title = [subject.value, name, 'Pinhole'].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  const content = useRef<HTMLElement>(null);
  const moved = useKeptFocus(content);
  if (signedOut.value) return <SignInPage />;
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <p class="hidden-text" role="status">
        {moved && title}
      </p>
      <div class="frame">
        <Rail />
        <TopBar />
        <ReadingLine />
        <main id="content" ref={content} class="content" tabIndex={-1}>
          <ViewBoundary key={view?.path}>
            <CurrentView />
          </ViewBoundary>
        </main>
      </div>
      <Help />
    </>
  );
}
