import type { analyzeSession } from '../../../src/sessions/operations/analyze-session.ts';
import type { compareSessions } from '../../../src/sessions/operations/compare-sessions.ts';
import type { fileHistory } from '../../../src/sessions/operations/file-history.ts';
import type { getEventDetails } from '../../../src/sessions/operations/get-event-details.ts';
import type { getProjectInfo } from '../../../src/sessions/operations/get-project-info.ts';
import type { getSessionSummary } from '../../../src/sessions/operations/get-session-summary.ts';
import type { getSessionTurns } from '../../../src/sessions/operations/get-session-turns.ts';
import type { getTurnSteps } from '../../../src/sessions/operations/get-turn-steps.ts';
import type { SessionCard } from '../../../src/sessions/operations/list-sessions.ts';
import type { searchEventPreviews } from '../../../src/sessions/operations/search-event-previews.ts';
import type { sessionFiles } from '../../../src/sessions/operations/session-files.ts';
import type { sessionSubagents } from '../../../src/sessions/operations/session-subagents.ts';
import type { sessionTimeline } from '../../../src/sessions/operations/session-timeline.ts';
import type { sessionsDoctor } from '../../../src/sessions/operations/sessions-doctor.ts';
import type { usage } from '../../../src/sessions/operations/usage.ts';
import type { DataOf } from '../data/types.ts';

export type { SessionCard };
/** Cards are whole where no `fields` are chosen, as the page never does. */
export interface SessionPage {
  readonly sessions: readonly SessionCard[];
}
export type SessionSummary = DataOf<typeof getSessionSummary>;
export type TurnPage = DataOf<typeof getSessionTurns>;
export type TurnCard = TurnPage['turns'][number];
export type StepPage = DataOf<typeof getTurnSteps>;
export type StepCard = StepPage['steps'][number];
export type ToolCard = StepCard['tools'][number];
export type TimelineData = DataOf<typeof sessionTimeline>;
export type SubagentPage = DataOf<typeof sessionSubagents>;
export type SubagentCard = SubagentPage['subagents'][number];
export type FilePage = DataOf<typeof sessionFiles>;
export type Analysis = DataOf<typeof analyzeSession>;
export type Insight = Analysis['insights'][number];
export type EventMatches = DataOf<typeof searchEventPreviews>;
export type EventMatch = EventMatches['matches'][number];
export type EventDetails = DataOf<typeof getEventDetails>;
export type FileTouches = DataOf<typeof fileHistory>;
export type Touch = FileTouches['touches'][number];
export type ProjectPage = DataOf<typeof getProjectInfo>;
export type ProjectCard = ProjectPage['projects'][number];
export type Comparison = DataOf<typeof compareSessions>;
export type Usage = DataOf<typeof usage>;
export type UsageCard = Usage['usage'][number];
export type AgentHealth = DataOf<typeof sessionsDoctor>;
