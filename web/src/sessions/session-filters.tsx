import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { go, href, param, withQuery } from '../frame/router.ts';
import { Choice } from '../ui/basics.tsx';
import type { ProjectCard } from './types.ts';

const PROVIDERS = [
  ['', 'All'],
  ['claude_code', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini', 'Gemini'],
] as const;

const TIMES = [
  ['', 'any time'],
  ['1d', 'last day'],
  ['7d', 'last week'],
  ['30d', 'last month'],
] as const;

/** Which sessions are listed; every choice is in the address. */
export function SessionFilters(props: {
  readonly projects: readonly ProjectCard[];
  readonly children?: ComponentChildren;
}) {
  const [text, setText] = useState('');
  const provider = PROVIDERS.find(([id]) => id === param('provider'))?.[0] ?? '';
  const failed = param('failed') === 'true';
  return (
    <div class="toolbar">
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          go(href('/sessions/search', { q: text }));
        }}
      >
        <input
          type="search"
          class="field"
          aria-label="Search in all sessions"
          placeholder="search in all sessions"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
          }}
        />
      </form>
      <Choice
        label="Client"
        options={PROVIDERS}
        value={provider}
        onChange={(value) => go(withQuery({ provider: value }))}
      />
      <select
        class="select project-select"
        aria-label="Project"
        value={param('project') ?? ''}
        onChange={(event) => go(withQuery({ project: event.currentTarget.value }))}
      >
        <option value="">all projects</option>
        {props.projects.map((project) => (
          <option key={project.hash} value={project.hash}>
            {project.root_path ?? project.hash}
          </option>
        ))}
      </select>
      <select
        class="select"
        aria-label="Time"
        value={param('since') ?? ''}
        onChange={(event) => go(withQuery({ since: event.currentTarget.value }))}
      >
        {TIMES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="chip"
        aria-pressed={failed}
        onClick={() => go(withQuery({ failed: failed ? undefined : 'true' }))}
      >
        with failures
      </button>
      {props.children}
    </div>
  );
}
