import { fail } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';

const FORMATS = ['json', 'text', 'csv', 'ndjson', 'explain'] as const;
export type RestFormat = (typeof FORMATS)[number];

/** The formats that `?format=` offers for the answers of an operation. */
export function formatsOf(operation: Pick<Operation<never>, 'rows' | 'explains'>): readonly RestFormat[] {
  return FORMATS.filter((format) => {
    if (format === 'explain') return operation.explains === true;
    return operation.rows !== undefined || format === 'json' || format === 'text';
  });
}

/** The requested format; one that the operation does not support is refused before anything runs. */
export function askedFormat(operation: Operation<never>, asked: readonly string[] | undefined): RestFormat {
  const [word = 'json', ...others] = asked ?? [];
  const supported = formatsOf(operation);
  const format = supported.find((each) => each === word);
  if (format !== undefined && others.length === 0) return format;
  const must = `format must be one of ${supported.join(', ')}`;
  const why = others.length > 0 ? ', and given only once' : (reasonAgainst(word, operation.name) ?? '');
  return fail('invalid_parameter', `${must}${why}.`, {
    details: { operation: operation.name, formats: supported },
  });
}

function reasonAgainst(word: string, operation: string): string | undefined {
  if (word === 'explain') return `: ${operation} has no plan to show`;
  return word === 'csv' || word === 'ndjson' ? `: ${operation} does not answer with a list` : undefined;
}
