import { useEffect, useRef } from 'preact/hooks';
import { signedOut } from './data/client.ts';
import { Boundary } from './frame/boundary.tsx';
import { Help } from './frame/help.tsx';
import { useKeptFocus } from './frame/kept-focus.ts';
import { lazy } from './frame/lazy.tsx';
import { Rail } from './frame/rail.tsx';
import { place, segment } from './frame/router.ts';
import { about } from './frame/title.ts';
import { TopBar } from './frame/top-bar.tsx';
import { VIEW_NAMES } from './frame/views.ts';
import { HomePage } from './home/home-page.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';
import { Empty } from './ui/states.tsx';

const ActivityPage = lazy(() => import('./activity/activity-page.tsx'));
const DiskPage = lazy(() => import('./disk/disk-page.tsx'));
const SessionsPage = lazy(() => import('./sessions/sessions-page.tsx'));
const CodePage = lazy(() => import('./code/code-page.tsx'));

function View() {
  switch (segment(0)) {
    case undefined:
      return <HomePage />;
    case 'disk':
      return <DiskPage />;
    case 'sessions':
      return <SessionsPage />;
    case 'code':
      return <CodePage />;
    case 'activity':
      return <ActivityPage />;
    default:
      return (
        <Empty title={`There is no view at ${place.value.path}.`}>
          <a href="/">Home</a>
        </Empty>
      );
  }
}

export function App() {
  const view = segment(0) ?? '';
  const title = [about.value, VIEW_NAMES[view], 'Pinhole'].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  const content = useRef<HTMLElement>(null);
  const moved = useKeptFocus(content);
  if (signedOut.value) return <SignInPage />;
  return (
    <>
      <a class="skip" href="#content">
        To the content
      </a>
      <p class="hidden-text" role="status">
        {moved && title}
      </p>
      <div class="frame">
        <Rail />
        <TopBar />
        <main id="content" ref={content} class="content" tabIndex={-1}>
          <Boundary key={view}>
            <View />
          </Boundary>
        </main>
      </div>
      <Help />
    </>
  );
}
