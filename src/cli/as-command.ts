import { OPERATIONS } from '../app/operations.ts';

/** The lines below an answer that name the next call: what pages on, and the hint. */
const NEXT_CALL = /^(\.\.\. (?:.*; )?next: |-> )([a-z_]+)((?: [a-z_]+=\S+)*)$/;
const TAIL = 4;

/** Text of an answer whose last lines name the next call as a command to type. */
export function withCommands(text: string): string {
  const lines = text.split('\n');
  const from = Math.max(0, lines.length - TAIL);
  return [
    ...lines.slice(0, from),
    ...lines
      .slice(from)
      .map((line) =>
        line.replace(
          NEXT_CALL,
          (whole, lead: string, name: string, inputs: string) =>
            `${lead}${asCommand(name, inputs.trim().split(' ')) ?? whole.slice(lead.length)}`,
        ),
      ),
  ].join('\n');
}

/** An operation in a sentence, with its inputs; what stands in quotes is no operation. */
const IN_SENTENCE =
  /\b([a-z]+(?:_[a-z]+)+|[a-z]+(?= [a-z_]+=))\b((?: [a-z_]+=(?:'[^']*'|[^\s;,]+))*)|'[^']*'/g;

/** A message that names commands where it named operations. */
export function messageWithCommands(message: string): string {
  return message.replace(IN_SENTENCE, (whole, name: string | undefined, inputs: string | undefined) =>
    name === undefined ? whole : (asCommand(name, inputsOf(inputs ?? '')) ?? whole),
  );
}

const inputsOf = (text: string): string[] => text.match(/[a-z_]+=(?:'[^']*'|\S+)/g) ?? [];

function asCommand(name: string, inputs: readonly string[]): string | undefined {
  const command = OPERATIONS.find((operation) => operation.name === name)?.command;
  if (command === undefined) return undefined;
  const given = new Map(
    inputs
      .filter((input) => input !== '')
      .map((input) => [input.slice(0, input.indexOf('=')), input.slice(input.indexOf('=') + 1)]),
  );
  const words = ['pinhole', command.words];
  for (const place of command.positional ?? []) {
    const value = given.get(place);
    if (value === undefined) break;
    words.push(value);
    given.delete(place);
  }
  for (const [input, value] of given) words.push(`--${input.replaceAll('_', '-')}`, value);
  return words.join(' ');
}
