/** Shapes of the answers on agent sessions. */

export interface SessionCard {
  readonly id: string;
  readonly provider: string;
  readonly project_hash?: string;
  readonly start_time: string;
  readonly snippet: string;
  readonly turn_count: number;
  readonly duration_seconds: number;
  readonly total_tokens: number;
  readonly failures?: number;
  readonly title?: string;
  readonly model?: string;
  readonly parent_id?: string;
}

export interface SessionSummary {
  readonly id: string;
  readonly session_id: string;
  readonly provider: string;
  readonly version?: string;
  readonly model?: string;
  readonly title?: string;
  readonly project?: { readonly hash: string; readonly path?: string };
  readonly cwd?: string;
  readonly branch?: string;
  readonly parent?: { readonly id: string; readonly relation: string };
  readonly start_time: string;
  readonly end_time: string;
  readonly stats: {
    readonly total_turns: number;
    readonly total_steps: number;
    readonly total_events: number;
    readonly total_tokens: number;
    readonly duration_seconds: number;
    readonly tool_calls: number;
    readonly failures: number;
    readonly compactions?: number;
  };
  readonly tokens: {
    readonly input: number;
    readonly cached: number;
    readonly cache_write: number;
    readonly output: number;
    readonly reasoning: number;
    readonly lower_bound?: true;
    readonly cost_usd?: number;
  };
  readonly first_prompt: string;
  readonly last_message?: string;
  readonly files: readonly { readonly path: string; readonly reads: number; readonly edits: number }[];
  readonly subagents: readonly {
    readonly id: string;
    readonly relation: string;
    readonly name?: string;
    readonly total_tokens: number;
  }[];
  readonly expires_at?: string;
}

export interface TurnCard {
  readonly turn_index: number;
  readonly event_index: number;
  readonly start_time: string;
  readonly user_message: string;
  readonly outcome: 'success' | 'partial' | 'failed' | 'interrupted';
  readonly step_count: number;
  readonly tools: Readonly<Record<string, number>>;
  readonly failed_tools: number;
  readonly tokens: number;
  readonly duration_seconds: number;
  readonly key_actions: readonly string[];
  readonly compactions?: number;
  readonly rewound?: true;
  readonly inherited?: true;
}

export interface ToolCard {
  readonly name: string;
  readonly arguments: string;
  readonly result?: string;
  readonly status: 'ok' | 'failed' | 'cancelled' | 'pending';
  readonly exit_code?: number;
  readonly event_index: number;
  readonly result_event?: number;
}

export interface StepCard {
  readonly step_index: number;
  readonly event_index: number;
  readonly reasoning?: string;
  readonly message?: string;
  readonly tools: readonly ToolCard[];
  readonly tokens: number;
}

export interface Insight {
  readonly turn_index: number;
  readonly step_index?: number;
  readonly event_index?: number;
  readonly severity: 'critical' | 'warning' | 'info';
  readonly lens: string;
  readonly message: string;
}

export interface Analysis {
  readonly session_id: string;
  readonly score: number;
  readonly penalties: readonly { readonly lens: string; readonly points: number; readonly reason: string }[];
  readonly insights: readonly Insight[];
  readonly more_insights?: Readonly<Record<string, number>>;
  readonly event_counts: Readonly<Record<string, number>>;
}

export interface EventMatch {
  readonly session_id: string;
  readonly event_index: number;
  readonly turn_index?: number;
  readonly step_index?: number;
  readonly timestamp: string;
  readonly event_type: string;
  readonly preview: string;
}

export interface EventDetails {
  readonly session_id: string;
  readonly event_index: number;
  readonly turn_index?: number;
  readonly step_index?: number;
  readonly timestamp: string;
  readonly event_type: string;
  readonly name?: string;
  readonly status?: string;
  readonly exit_code?: number;
  readonly total_bytes: number;
  readonly text?: string;
  readonly next_offset?: number;
}

export interface Touch {
  readonly session_id: string;
  readonly event_index: number;
  readonly turn_index?: number;
  readonly step_index?: number;
  readonly timestamp: string;
  readonly action: string;
  readonly tool: string;
  readonly status?: string;
  readonly path?: string;
  readonly diff?: string;
}

export interface ProjectCard {
  readonly hash: string;
  readonly root_path?: string;
  readonly session_count: number;
  readonly last_activity: string;
  readonly total_tokens: number;
}
