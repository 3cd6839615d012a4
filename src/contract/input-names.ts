/** What can be said of the inputs of an operation without its schemas. */
export interface InputFacts {
  /** The inputs by name; how much is said of each depends on who asks. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Other names of inputs. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
}

const GLOBAL_ALIASES: Readonly<Record<string, string>> = { page_size: 'limit', next_cursor: 'cursor' };

/** The right name of an argument: an alias of the operation, `page_size`, or camelCase for snake_case may be given. */
export function knownName({ properties, aliases }: InputFacts, given: string): string | undefined {
  const snake = given.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');
  return [given, snake]
    .flatMap((name) => [name, aliases?.[name], GLOBAL_ALIASES[name]])
    .find((name) => name !== undefined && Object.hasOwn(properties, name));
}

/** Other names under which the operation takes its arguments. */
export function otherNames({ properties, aliases }: InputFacts): readonly string[] {
  return Object.entries({ ...GLOBAL_ALIASES, ...aliases }).flatMap(([alias, name]) =>
    Object.hasOwn(properties, name) && !Object.hasOwn(properties, alias) ? [alias] : [],
  );
}
