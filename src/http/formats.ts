import { fail } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';

const FORMATS = ['json', 'text', 'csv', 'ndjson', 'explain'] as const;
export type RestFormat = (typeof FORMATS)[number];

/** How the answers of an operation can be had with `?format=`. */
export function formatsOf(operation: Pick<Operation<never>, 'rows' | 'explains'>): readonly RestFormat[] {
  return FORMATS.filter((format) => {
    if (format === 'explain') return operation.explains === true;
    return operation.rows !== undefined || format === 'json' || format === 'text';
  });
}

/** The format asked for; one that the operation does not have is refused before anything runs. */
export function askedFormat(operation: Operation<never>, asked: readonly string[] | undefined): RestFormat {
  const [word = 'json', ...others] = asked ?? [];
  const has = formatsOf(operation);
  const format = has.find((each) => each === word);
  if (format !== undefined && others.length === 0) return format;
  const must = `format must be one of ${has.join(', ')}`;
  const why = others.length > 0 ? ', given once' : (reasonAgainst(word, operation.name) ?? '');
  return fail('invalid_parameter', `${must}${why}.`, { operation: operation.name, formats: has });
}

function reasonAgainst(word: string, operation: string): string | undefined {
  if (word === 'explain') return `: ${operation} has no plan to show`;
  return word === 'csv' || word === 'ndjson' ? `: ${operation} does not answer with a list` : undefined;
}
