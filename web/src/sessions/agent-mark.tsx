import { AGENTS } from '../../../src/sessions/providers/agents.data.ts';

function agentOf(provider: string) {
  return AGENTS.find((agent) => agent.id === provider);
}

/** The agent's name; the id itself for an agent that this version does not know. */
export function agentName(provider: string): string {
  return agentOf(provider)?.title ?? provider;
}

/** The agent that wrote a session, as a letter. */
export function AgentMark({ provider }: { readonly provider: string }) {
  const { title, mark, colour } = agentOf(provider) ?? {
    title: provider,
    mark: '?',
    colour: 'var(--text-2)',
  };
  return (
    <span class="provider-mark" style={{ color: colour }} title={title}>
      <span aria-hidden="true">{mark}</span>
      <span class="hidden-text">{title}</span>
    </span>
  );
}
