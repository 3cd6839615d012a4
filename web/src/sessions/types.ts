import type { DataOf } from '../data/operations.ts';

export type SessionSummary = DataOf<'get_session_summary'>;
export type TurnCard = DataOf<'get_session_turns'>['turns'][number];
export type StepCard = DataOf<'get_turn_steps'>['steps'][number];
export type ToolCard = StepCard['tools'][number];
export type TimelineData = DataOf<'session_timeline'>;
export type SubagentCard = DataOf<'session_subagents'>['subagents'][number];
export type TouchedFile = DataOf<'session_files'>['files'][number];
export type FileTouch = NonNullable<DataOf<'file_history'>['touches']>[number];
export type Insight = NonNullable<DataOf<'analyze_session'>['insights']>[number];
export type ProjectCard = DataOf<'get_project_info'>['projects'][number];
export type Comparison = DataOf<'compare_sessions'>;
export type UsageCard = DataOf<'usage'>['usage'][number];
