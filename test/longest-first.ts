import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, in this order; the others follow by size or, after a first run, by duration. */
const LONGEST = [
  'test/browser/pages.test.ts',
  'src/code/exact/ripgrep-comparison.test.ts',
  'test/unreachable.test.ts',
  'test/docs-commands.test.ts',
  'test/stopping.test.ts',
  'test/code-grep.test.ts',
  'test/code-secret-attacks.test.ts',
  'src/code/semantic/first-search.test.ts',
  'src/sql/sql-fuzz.test.ts',
  'test/odd-files.test.ts',
  'src/code/exact/changed-files-search.test.ts',
  'src/sql/sql.test.ts',
  'test/all-operations.test.ts',
  'test/mcp-stdio.test.ts',
  'test/browser/addresses.test.ts',
  'test/browser/flows.test.ts',
];

/** Slow files first, so that none of them runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const rank = ({ project, moduleId }: TestSpecification) => {
      const at = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return projects.indexOf(project) * 1_000 + (at < 0 ? LONGEST.length : at);
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
