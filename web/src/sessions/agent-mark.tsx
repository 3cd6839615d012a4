const AGENTS: Readonly<Record<string, readonly [letter: string, name: string]>> = {
  claude_code: ['C', 'Claude Code'],
  codex: ['X', 'Codex'],
  gemini: ['G', 'Gemini CLI'],
};

export function agentName(provider: string): string {
  return AGENTS[provider]?.[1] ?? provider;
}

/** The agent that wrote a session, as a letter. */
export function AgentMark({ provider }: { readonly provider: string }) {
  const [letter, name] = AGENTS[provider] ?? ['?', provider];
  return (
    <span class={`provider-mark ${provider}`} title={name}>
      <span aria-hidden="true">{letter}</span>
      <span class="hidden-text">{name}</span>
    </span>
  );
}
