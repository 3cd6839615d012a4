import type { Operation } from '../../contract/operation.ts';
import type { SessionServices } from '../services.ts';
import { analyzeSession } from './analyze-session.ts';
import { brief } from './brief.ts';
import { compareSessions } from './compare-sessions.ts';
import { currentSession } from './current-session.ts';
import { fileHistory } from './file-history.ts';
import { getEventDetails } from './get-event-details.ts';
import { getProjectInfo } from './get-project-info.ts';
import { getReasoningChain } from './get-reasoning-chain.ts';
import { getSessionById } from './get-session-by-id.ts';
import { getSessionDetails } from './get-session-details.ts';
import { getSessionFull } from './get-session-full.ts';
import { getSessionSummary } from './get-session-summary.ts';
import { getSessionTurns } from './get-session-turns.ts';
import { getTurnSteps } from './get-turn-steps.ts';
import { listSessions } from './list-sessions.ts';
import { markSession } from './mark-session.ts';
import { recall } from './recall.ts';
import { searchEventPreviews } from './search-event-previews.ts';
import { searchEvents } from './search-events.ts';
import { sessionExport } from './session-export.ts';
import { sessionFiles } from './session-files.ts';
import { sessionSubagents } from './session-subagents.ts';
import { sessionTimeline } from './session-timeline.ts';
import { sessionsArchive } from './sessions-archive.ts';
import { sessionsDoctor } from './sessions-doctor.ts';
import { usage } from './usage.ts';
import { usagePrices } from './usage-prices.ts';

/** All operations on sessions, in the order of the tool list. */
export const SESSION_OPERATIONS = [
  listSessions,
  getProjectInfo,
  getSessionSummary,
  getSessionTurns,
  getTurnSteps,
  getSessionFull,
  analyzeSession,
  searchEventPreviews,
  getEventDetails,
  fileHistory,
  compareSessions,
  getReasoningChain,
  getSessionDetails,
  getSessionById,
  searchEvents,
  sessionTimeline,
  sessionFiles,
  sessionSubagents,
  currentSession,
  recall,
  brief,
  markSession,
  sessionExport,
  usage,
  usagePrices,
  sessionsDoctor,
  sessionsArchive,
] as const satisfies readonly Operation<SessionServices>[];
