import { activityQuestion } from '../activity/activity-questions.ts';
import { askAhead } from '../data/client.ts';
import { addressOf } from '../data/request.ts';
import { ROOT_NODE, tabQuestions } from '../disk/disk-questions.ts';
import { CALLS_OF_A_YEAR, dailyUsage, RECENT_SESSIONS } from '../home/home-questions.ts';
import {
  calendarInput,
  EDITED_FILES_INPUT,
  listInput,
  PROJECTS_INPUT,
  searchInputs,
  stepsInput,
  turnsInput,
  usageQuestion,
} from '../sessions/session-questions.ts';
import { CODE_INDEXES_INPUT } from '../settings/settings-questions.ts';
import { type Place, partsOf, place, placeOf } from './router.ts';

/**
 * The first requests of the view at an address, most needed first. They are sent while the code of the view is still
 * loading, and all together, so that none waits for the answer to another.
 */
export function firstQuestions(place: Place): readonly string[] {
  const [view, first, second] = partsOf(place);
  switch (view) {
    case undefined:
      return [
        addressOf('stats', CALLS_OF_A_YEAR),
        addressOf('list_sessions', RECENT_SESSIONS),
        addressOf('usage', dailyUsage(Date.now())),
      ];
    case 'disk':
      return diskQuestions(place, first, second);
    case 'sessions':
      return sessionQuestions(place, first);
    case 'activity':
      return first === undefined ? activityQuestions(place) : [addressOf('job_progress', { job_id: first })];
    case 'settings':
      return [
        addressOf('sessions_doctor', {}),
        addressOf('allow', {}),
        addressOf('disk_indexes', {}),
        addressOf('code_indexes', CODE_INDEXES_INPUT),
        addressOf('usage_prices', {}),
      ];
    case 'sql': {
      const query = place.query.get('q') ?? '';
      return query === '' ? [] : [addressOf('sql', { query, limit: 200 })];
    }
    default:
      return [];
  }
}

function activityQuestions(place: Place): readonly string[] {
  const { stats, calls } = activityQuestion(place);
  return [addressOf('stats', stats), addressOf('audit', calls)];
}

function diskQuestions(place: Place, index: string | undefined, node: string | undefined): readonly string[] {
  if (index === undefined) return place.query.has('path') ? [] : [addressOf('disk_indexes', {})];
  if (!/^i\d+$/.test(index)) return [];
  return [
    addressOf('disk_index', { index_id: index }),
    addressOf('inspect', { index_id: index, node_id: node ?? ROOT_NODE }),
    ...(isFolder(place, node) ? tabQuestions(index, node, place) : []),
  ];
}

/** Whether the address alone says so; another node may be a file, which has no tabs. */
function isFolder({ query }: Place, node: string | undefined): boolean {
  return node === undefined || node === ROOT_NODE || query.has('tab');
}

function sessionQuestions(place: Place, part: string | undefined): readonly string[] {
  switch (part) {
    case undefined:
      return [
        addressOf('list_sessions', listInput(place)),
        addressOf('get_project_info', PROJECTS_INPUT),
        addressOf('usage', calendarInput(Date.now())),
      ];
    case 'search': {
      const { matches, prompts } = searchInputs(place);
      return [matches, prompts].flatMap((input) => (input ? addressOf('search_event_previews', input) : []));
    }
    case 'usage': {
      const { bars, past } = usageQuestion(place, Date.now());
      return [addressOf('usage', bars), addressOf('usage', past)];
    }
    case 'files':
      return place.query.has('path') ? [] : [addressOf('file_history', EDITED_FILES_INPUT)];
    case 'compare':
      return [];
    default:
      return openSession(place, part);
  }
}

function openSession({ query }: Place, session_id: string): readonly string[] {
  const side = query.get('side');
  return [
    addressOf('get_session_summary', { session_id }),
    addressOf('get_session_turns', turnsInput(session_id)),
    ...(side === 'findings' ? [addressOf('analyze_session', { session_id })] : []),
    ...(side === 'brief' && !query.has('brief') ? [addressOf('brief', { session_id })] : []),
    ...(query.has('event') && !query.has('turn')
      ? []
      : [addressOf('get_turn_steps', stepsInput(session_id, Number(query.get('turn')) || 0))]),
    addressOf('session_timeline', { session_id }),
  ];
}

/** Sends the first requests of the view at an address, except those that the view before has already sent. */
export function askFirst(place: Place, before?: Place): void {
  const known = new Set(before && firstQuestions(before));
  for (const address of firstQuestions(place)) if (!known.has(address)) askAhead(address);
}

/**
 * Loads the code of a view when the mouse is over a link to it, and requests its data when the button goes down, which
 * is before the click.
 */
export function startAhead(preload: (place: Place) => void): void {
  const targetOf = ({ target }: Event): Place | undefined => {
    const anchor = target instanceof Element ? target.closest('a') : null;
    if (anchor === null || anchor.origin !== location.origin || anchor.pathname.startsWith('/api/'))
      return undefined;
    return placeOf(anchor);
  };
  document.addEventListener('pointerover', (event) => {
    const to = targetOf(event);
    if (to !== undefined) preload(to);
  });
  // A finger touching the screen may be about to scroll.
  document.addEventListener('pointerdown', (event) => {
    const to = event.pointerType === 'mouse' && event.button === 0 ? targetOf(event) : undefined;
    if (to !== undefined) askFirst(to, place.value);
  });
}
