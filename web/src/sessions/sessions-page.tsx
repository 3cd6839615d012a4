import { segment } from '../frame/router.ts';
import { CompareView } from './compare-view.tsx';
import { FileHistoryView } from './file-history-view.tsx';
import { SearchView } from './search-view.tsx';
import { SessionList } from './session-list.tsx';
import { SessionView } from './session-view.tsx';
import { UsageView } from './usage-view.tsx';
import './sessions.css';

/** Agent sessions: the list, search, file history, token usage and comparison. */
export default function SessionsPage() {
  const part = segment(1);
  switch (part) {
    case undefined:
      return <SessionList />;
    case 'search':
      return <SearchView />;
    case 'usage':
      return <UsageView />;
    case 'files':
      return <FileHistoryView />;
    case 'compare':
      return <CompareView />;
    default:
      return <SessionView key={part} id={part} />;
  }
}
