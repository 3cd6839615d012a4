const NAMES: Readonly<Record<string, readonly [letter: string, name: string]>> = {
  claude_code: ['C', 'Claude Code'],
  codex: ['X', 'Codex'],
  gemini: ['G', 'Gemini CLI'],
};

export function providerName(provider: string): string {
  return NAMES[provider]?.[1] ?? provider;
}

/** Which client a session belongs to, as a small letter. */
export function ProviderMark({ provider }: { readonly provider: string }) {
  const [letter, name] = NAMES[provider] ?? ['?', provider];
  return (
    <span class={`provider-mark ${provider}`} title={name}>
      <span aria-hidden="true">{letter}</span>
      <span class="hidden-text">{name}</span>
    </span>
  );
}
