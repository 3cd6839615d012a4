import type { CommandFacts } from './command-facts.ts';

/**
 * An error with the inputs of the command as they are typed: `--index-id` and `SESSION_ID`. A name that is also a word is
 * one where the contract says what it must be. Of several names of a flag, the one that was typed. Quoted texts stay.
 */
export function inTypedWords(
  text: string,
  { properties, command, aliases = {} }: Pick<CommandFacts, 'properties' | 'command' | 'aliases'>,
  typed: readonly string[] = [],
): string {
  const flagOf = (name: string) => `--${name.replaceAll('_', '-')}`;
  const isTyped = (flag: string) => typed.some((word) => word === flag || word.startsWith(`${flag}=`));
  return text.replace(INPUT, (word) => {
    if (!Object.hasOwn(properties, word)) return word;
    if (command?.positional?.includes(word)) return word.toUpperCase();
    const others = Object.keys(aliases).filter((alias) => aliases[alias] === word);
    return others.map(flagOf).find(isTyped) ?? flagOf(word);
  });
}

const INPUT =
  /'[^']*'|"[^"]*"|(?<![\w/.-])[a-z]+(?:_[a-z]+)+(?![\w/-])|(?<=^|\. )[a-z]+(?= (?:must be|is required|is given)\b|: )/g;
