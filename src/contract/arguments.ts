import { fail } from './errors.ts';
import { isObject } from './guards.ts';
import type { RawInput } from './input.ts';
import { type InputFacts, knownName } from './input-names.ts';

type Field = Readonly<Record<string, unknown>>;

/**
 * Arguments that arrive as words (a query string, a command line), turned into what the operation's schema
 * expects. What does not convert is left as it is, for the contract to explain.
 */
export function argumentsFromText(
  inputs: InputFacts,
  words: Readonly<Record<string, string | readonly string[]>>,
): RawInput {
  return Object.fromEntries(
    Object.entries(words).map(([name, value]) => {
      const known = inputs.properties[knownName(inputs, name) ?? ''];
      // Names nobody knows are left for the contract, which says what the operation takes.
      return [name, known === undefined ? value : convert(name, value, record(known))];
    }),
  );
}

function convert(name: string, value: string | readonly string[], field: Field): unknown {
  if (field.type === 'array') return [value].flat().flatMap(listOf);
  const [word = '', ...others] = [value].flat();
  if (takesSeveral(field)) return others.length === 0 ? word : [word, ...others];
  // Taking one of them would answer another question than was asked.
  if (others.length > 0)
    fail('invalid_parameter', `${name} is given ${others.length + 1} times; give it once.`, {
      details: {
        parameter: name,
      },
    });
  if (field.type === 'integer' || field.type === 'number')
    return /^-?\d+(\.\d+)?$/.test(word) ? Number(word) : word;
  if (field.type === 'boolean')
    return word === 'true' || word === '1' || word === ''
      ? true
      : word === 'false' || word === '0'
        ? false
        : word;
  if (field.type === 'object' || field.anyOf !== undefined) return parsed(word);
  return word;
}

/** Whether an input takes one text or a list of them; commas do not part such texts. */
export function takesSeveral({ anyOf }: { readonly anyOf?: unknown }): boolean {
  return Array.isArray(anyOf) && anyOf.map((form) => record(form).type).join() === 'string,array';
}

/** Parts between commas; those inside the braces or brackets of a glob do not count. */
function listOf(word: string): string[] {
  return word.match(/(?:\{[^}]*\}|\[[^\]]*\]|[^,])+/g) ?? [word];
}

function parsed(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    return word;
  }
}

function record(value: unknown): Field {
  return isObject(value) ? { ...value } : {};
}
