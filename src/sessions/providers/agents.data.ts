import { PROVIDERS } from './index.ts';

/**
 * How the page shows each agent. A data file (`*.data.ts`): the build runs it and puts the JSON in its place, so the
 * page is built without the code that reads logs.
 */
export const AGENTS: readonly {
  readonly id: string;
  readonly title: string;
  readonly mark: string;
  readonly colour: string;
  readonly resume?: string | undefined;
}[] = PROVIDERS.map(({ id, title, mark, colour, resume }) => ({ id, title, mark, colour, resume }));
