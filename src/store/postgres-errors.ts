import { errorText, PinholeError, systemCode } from '../contract/errors.ts';

/** Server states that pass or that somebody must repair: no answer, shutting down, full, read-only. */
const UNAVAILABLE = /^(?:08...|57P0[1-5]|53...|25006|58...)$/;
const GONE = /terminat|ECONN|ENOENT|timeout|not queryable|Client was closed|Cannot use a pool/i;

/** Queries the database; the error says whether to try again. */
export async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(error) ?? error;
  }
}

/** The error for a database that cannot answer now; undefined for a mistake in a statement. */
export function unavailable(error: unknown): PinholeError | undefined {
  if (error instanceof PinholeError) return undefined;
  const code = systemCode(error) ?? '';
  if (!UNAVAILABLE.test(code) && !(code.length !== 5 && GONE.test(`${code} ${errorText(error)}`)))
    return undefined;
  return new PinholeError(
    'unavailable',
    `The database cannot be used now (${reasonOf(code, error)}). Try again in a moment.`,
    {
      retryable: true,
      cause: error,
    },
  );
}

function reasonOf(code: string, error: unknown): string {
  if (code === '53100') return 'its disk is full';
  if (code === '25006') return 'it is read-only';
  if (code.startsWith('57P')) return 'it is shutting down or starting';
  return code === '' ? errorText(error) : code;
}
