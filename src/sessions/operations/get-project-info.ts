import { z } from 'zod';
import { columns, countOf, shortCount } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import type { SessionServices } from '../services.ts';
import type { ProjectRow } from '../store/session-list.ts';
import { freshness } from './index-freshness.ts';
import { machine, person } from './session-inputs.ts';
import { clock, iso, shortHash } from './session-text.ts';

const projectCardSchema = z.object({
  hash: z.string(),
  root_path: z.string().optional(),
  session_count: z.int(),
  last_activity: z.string(),
  total_tokens: z.int().optional().describe('absent if no log of the project has any'),
});

const projectsSchema = z.object({ projects: z.array(projectCardSchema) });

type ProjectCard = ReadonlyData<typeof projectCardSchema>;

export const getProjectInfoInput = z.strictObject({ machine: machine.optional(), person: person.optional() });

export const getProjectInfo = operation<SessionServices>()({
  name: 'get_project_info',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Projects that have agent sessions.',
  input: getProjectInfoInput,
  data: projectsSchema,
  limit: { default: 20, max: 100 },
  rows: 'projects',
  unlisted: ['machine', 'person', 'limit'],
  http: 'GET /api/projects',
  command: { words: 'sessions projects', glance: true, examples: ['pinhole sessions projects'] },

  async run(input, { sessions, after, limit, url }) {
    const meta = await freshness(sessions);
    const position = Array.isArray(after) ? ([Number(after[0]), String(after[1])] as const) : undefined;
    return page<ProjectRow, ReadonlyData<typeof projectsSchema>>({
      rows: await sessions.list.projects(position, limit + 1, input),
      position: (row) => [row.lastMs, row.hash],
      shape: (rows) => ({ projects: rows.map(projectCard) }),
      link: url(pageLinks.sessions()),
      meta,
    });
  },

  text: ({ projects }, style) =>
    projects.length === 0
      ? 'No projects.'
      : columns(
          projects.map((project) => [
            project.hash,
            countOf(project.session_count, 'session'),
            clock(project.last_activity, style),
            project.total_tokens === undefined ? '-' : `${shortCount(project.total_tokens)} tok`,
            project.root_path ?? '(path unknown)',
          ]),
          [1, 3],
        ),
});

function projectCard(row: ProjectRow): ProjectCard {
  return {
    hash: shortHash(row.hash),
    root_path: row.path,
    session_count: row.sessions,
    last_activity: iso(row.lastMs),
    total_tokens: row.tokens || undefined,
  };
}
