import { languageOf } from '../../../src/code/languages.ts';

/** A file with matches, and how many. */
export interface CountedFile {
  /** The searched folder it was found in. */
  readonly folder: string;
  /** Absolute. */
  readonly file: string;
  readonly count: number;
}

export interface FacetCount {
  readonly name: string;
  /** The query value in the address that shows only these. */
  readonly value: string;
  readonly count: number;
}

export interface Facets {
  readonly repositories: readonly FacetCount[];
  readonly folders: readonly FacetCount[];
  readonly languages: readonly FacetCount[];
}

/** Counts matches by searched folder, by the next folder below it, and by language; most first. */
export function facetsOf(files: readonly CountedFile[]): Facets {
  const repositories = new Map<string, FacetCount>();
  const folders = new Map<string, FacetCount>();
  const languages = new Map<string, FacetCount>();
  const add = (group: Map<string, FacetCount>, name: string, value: string, count: number) =>
    group.set(value, { name, value, count: (group.get(value)?.count ?? 0) + count });
  for (const { folder, file, count } of files) {
    add(repositories, folder.split('/').at(-1) || folder, folder, count);
    const below = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : '';
    const slash = below.indexOf('/');
    if (slash > 0) add(folders, below.slice(0, slash), `${folder}/${below.slice(0, slash)}`, count);
    const language = languageOf(file);
    if (language !== undefined) add(languages, language, language, count);
  }
  const sorted = (group: ReadonlyMap<string, FacetCount>) =>
    [...group.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return { repositories: sorted(repositories), folders: sorted(folders), languages: sorted(languages) };
}
