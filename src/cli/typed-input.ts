import type { CommandFacts } from './command-facts.ts';

/** An input as it is typed: `--index-id`, `SESSION_ID`; of several names of a flag, the one that was typed. */
export function typedInput(
  { properties, command, aliases = {} }: Pick<CommandFacts, 'properties' | 'command' | 'aliases'>,
  typed: readonly string[],
): (input: string) => string {
  const flagOf = (name: string) => `--${name.replaceAll('_', '-')}`;
  const isTyped = (flag: string) => typed.some((word) => word === flag || word.startsWith(`${flag}=`));
  return (input) => {
    if (!Object.hasOwn(properties, input)) return input;
    if (command?.positional?.includes(input)) return input.toUpperCase();
    const others = Object.keys(aliases).filter((alias) => aliases[alias] === input);
    return others.map(flagOf).find(isTyped) ?? flagOf(input);
  };
}
