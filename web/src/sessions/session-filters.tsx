import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { AGENTS } from '../../../src/sessions/providers/agents.data.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { Choice } from '../ui/basics.tsx';
import type { ProjectCard } from './types.ts';

const AGENT_CHOICES: readonly (readonly [id: string, title: string])[] = [
  ['', 'All'],
  ...AGENTS.map(({ id, title }) => [id, title] as const),
];

const TIMES = [
  ['', 'Any time'],
  ['1d', 'Last day'],
  ['7d', 'Last week'],
  ['30d', 'Last month'],
] as const;

/** Filters for the list of sessions; they are in the address. */
export function SessionFilters(props: {
  readonly projects: readonly ProjectCard[];
  readonly children?: ComponentChildren;
}) {
  const [text, setText] = useState('');
  const agent = AGENT_CHOICES.find(([id]) => id === param('provider'))?.[0] ?? '';
  const failed = param('failed') === 'true';
  return (
    <div class="toolbar">
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          go(pageLinks.sessionSearch({ q: text }));
        }}
      >
        <input
          type="search"
          class="field"
          aria-label="Search all sessions"
          placeholder="Search all sessions"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
          }}
        />
      </form>
      <Choice
        label="Agent"
        options={AGENT_CHOICES}
        value={agent}
        onChange={(value) => go(withQuery({ provider: value }))}
      />
      <select
        class="select project-select"
        aria-label="Project"
        value={param('project') ?? ''}
        onChange={(event) => go(withQuery({ project: event.currentTarget.value }))}
      >
        <option value="">All projects</option>
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
        With failures
      </button>
      {props.children}
    </div>
  );
}
