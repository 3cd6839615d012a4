import { render } from 'preact';
import { App, preloadView } from './app.tsx';
import { startLive } from './data/live.ts';
import { startLogsReading } from './data/logs-reading.ts';
import { startStartWords } from './data/start-words.ts';
import { startRouter } from './frame/router.ts';
import { startShortcuts } from './frame/shortcuts.ts';
import { signInByLink, startSession } from './sign-in/session.ts';
import { startShownText } from './ui/shown-text.ts';
import './styles/panels.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/controls.css';
import './styles/parts.css';
import './frame/global-search.css';
import './sign-in/sign-in.css';

startShownText();
startRouter();
startShortcuts();
preloadView();
startSession();
// First, so that no call is refused before the page has signed in.
await signInByLink();
startStartWords();
startLive();
startLogsReading();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
