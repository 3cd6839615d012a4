import type { Operation } from './operation.ts';

/** The message of an error with the inputs of a command as they are typed: `--index-id` and `SESSION_ID`. Quoted texts stay. */
export function inTypedWords(
  text: string,
  { input, command }: Pick<Operation<never>, 'input' | 'command'>,
): string {
  return text.replace(/'[^']*'|"[^"]*"|(?<![\w/.-])[a-z]+(?:_[a-z]+)+(?![\w/-])/g, (word) => {
    if (!Object.hasOwn(input.shape, word)) return word;
    return command?.positional?.includes(word) ? word.toUpperCase() : `--${word.replaceAll('_', '-')}`;
  });
}
