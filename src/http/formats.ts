import { fail } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';

const FORMATS = ['json', 'text', 'csv', 'ndjson', 'explain'] as const;
export type RestFormat = (typeof FORMATS)[number];

/** How the answers of an operation can be had with `?format=`. */
export function formatsOf(
  operation: Pick<Operation<never>, 'readOnly' | 'limit' | 'explains'>,
): readonly RestFormat[] {
  const streams = operation.readOnly || operation.limit !== undefined;
  return FORMATS.filter((format) => {
    if (format === 'explain') return operation.explains === true;
    return streams || format === 'json' || format === 'text';
  });
}

/** The format asked for; one that the operation does not have is refused before anything runs. */
export function askedFormat(operation: Operation<never>, asked: readonly string[] | undefined): RestFormat {
  const [word = 'json', ...others] = asked ?? [];
  const has = formatsOf(operation);
  const format = has.find((each) => each === word);
  if (format !== undefined && others.length === 0) return format;
  const must = `format must be one of ${has.join(', ')}`;
  const why =
    others.length > 0 ? ', given once' : word === 'explain' ? `: ${operation.name} has no plan to show` : '';
  return fail('invalid_parameter', `${must}${why}.`, {
    details: { operation: operation.name, formats: has },
  });
}
