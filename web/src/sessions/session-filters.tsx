import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AGENTS } from '../../../src/sessions/providers/agents.data.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { takeCursorAlong } from './moving-cursor.ts';
import { OriginSelects } from './origin-selects.tsx';
import type { ProjectCard } from './types.ts';

const TIMES = [
  ['', 'Any time'],
  ['1d', 'Last day'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['365d', 'Last year'],
] as const;

const SEARCH_MS = 250;
const MIN_CHARACTERS = 3;

/** Filters for the list of sessions; they are in the address. */
export function SessionFilters(props: {
  readonly projects: readonly ProjectCard[];
  readonly children?: ComponentChildren;
}) {
  const [text, setText] = useState('');
  const failed = param('failed') === 'true';
  const starred = param('starred') === 'true';
  const search = () => {
    takeCursorAlong();
    go(
      pageLinks.sessionSearch({
        q: text,
        project: param('project'),
        provider: param('provider'),
        since: param('since'),
        machine: param('machine'),
        person: param('person'),
      }),
    );
  };
  useEffect(() => {
    if (text.trim().length < MIN_CHARACTERS) return;
    const timer = setTimeout(search, SEARCH_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="toolbar">
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <input
          type="search"
          class="field"
          aria-label="Search all sessions"
          placeholder="Search all sessions"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </form>
      <AgentChoice />
      <ProjectSelect projects={props.projects} />
      <OriginSelects />
      <TimeSelect />
      <button
        type="button"
        class="chip"
        aria-pressed={failed}
        onClick={() => go(withQuery({ failed: failed ? undefined : 'true' }))}
      >
        With failures
      </button>
      <button
        type="button"
        class="chip"
        aria-pressed={starred}
        onClick={() => go(withQuery({ starred: starred ? undefined : 'true' }))}
      >
        Starred
      </button>
      {props.children}
    </div>
  );
}

export function AgentChoice() {
  return (
    <select
      class="select"
      aria-label="Agent"
      value={param('provider') ?? ''}
      onChange={(event) => go(withQuery({ provider: event.currentTarget.value }))}
    >
      <option value="">All agents</option>
      {AGENTS.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  );
}

export function ProjectSelect({ projects }: { readonly projects: readonly ProjectCard[] }) {
  return (
    <select
      class="select project-select"
      aria-label="Project"
      value={param('project') ?? ''}
      onChange={(event) => go(withQuery({ project: event.currentTarget.value }))}
    >
      <option value="">All projects</option>
      {projects.map((project) => (
        <option key={project.hash} value={project.hash}>
          {project.root_path ?? project.hash}
        </option>
      ))}
    </select>
  );
}

export function TimeSelect() {
  return (
    <select
      class="select"
      aria-label="Time"
      value={param('since') ?? ''}
      onChange={(event) => go(withQuery({ since: event.currentTarget.value, day: undefined }))}
    >
      {TIMES.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
