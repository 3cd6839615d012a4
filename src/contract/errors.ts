import type { NextCall } from './next-call.ts';

/** Every error code that leaves Pinhole, with the HTTP status it has over REST. */
export const ERROR_STATUS = {
  invalid_parameter: 400,
  invalid_cursor: 400,
  session_not_found: 404,
  ambiguous_session_prefix: 409,
  invalid_turn_index: 404,
  invalid_event_index: 404,
  index_not_found: 404,
  node_not_found: 404,
  unauthorized: 401,
  forbidden: 403,
  path_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  job_failed: 500,
  search_timeout: 504,
  rate_limited: 429,
  conflict: 409,
  unavailable: 503,
  internal_error: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** A message in parts: text, and the names of inputs, which each door writes as its callers do. */
export type MessageParts = readonly (string | { readonly input: string })[];

/**
 * A message that names inputs: `index_id` for agents and scripts, `--index-id` at a terminal.
 *
 * @example fail('conflict', inputMessage`Choose one with ${{ input: 'index_id' }}.`)
 */
export function inputMessage(
  texts: readonly string[],
  ...values: readonly (string | number | { readonly input: string })[]
): MessageParts {
  return texts.flatMap((text, i) => {
    const value = values[i];
    return value === undefined ? [text] : [text, typeof value === 'number' ? String(value) : value];
  });
}

/** A message in which inputs have the names that `word` gives them: their own if it is not given. */
export function messageText(parts: MessageParts, word = (input: string) => input): string {
  return parts.map((part) => (typeof part === 'string' ? part : word(part.input))).join('');
}

export type ErrorDetails = Readonly<Record<string, unknown>>;

/** The body of every failed answer. */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly next?: NextCall | undefined;
    readonly details?: ErrorDetails | undefined;
    readonly retryable: boolean;
  };
}

const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'invalid_cursor',
  'search_timeout',
  'rate_limited',
  'unavailable',
]);

interface ErrorOptions {
  readonly next?: NextCall | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
}

/** An error meant for the caller: a code, a message that names the fix, and small details. */
export class PinholeError extends Error {
  override readonly name = 'PinholeError';
  readonly code: ErrorCode;
  /** The message again, where it names inputs. */
  readonly parts: MessageParts | undefined;
  readonly next: NextCall | undefined;
  readonly details: ErrorDetails | undefined;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string | MessageParts, options: ErrorOptions = {}) {
    super(
      typeof message === 'string' ? message : messageText(message),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.parts = typeof message === 'string' ? undefined : message;
    this.next = options.next;
    this.details = options.details;
    this.retryable = options.retryable ?? RETRYABLE.has(code);
  }

  toBody(): ErrorBody {
    const { code, message, next, details, retryable } = this;
    return {
      error: {
        code,
        message,
        ...(next === undefined ? {} : { next }),
        ...(details === undefined ? {} : { details }),
        retryable,
      },
    };
  }
}

/**
 * Throws a {@link PinholeError}; reads as a statement.
 *
 * @example fail('not_found', "No selection 's9'.", { next: callSelectionList({}) })
 */
export function fail(code: ErrorCode, message: string | MessageParts, options?: ErrorOptions): never {
  throw new PinholeError(code, message, options);
}

/** What an error says, whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The stack of an error, for a log. */
export function errorStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The `code` of a Node.js system error such as ENOENT, or undefined. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What the caller is told when the system itself refuses, by its error code. */
const SYSTEM_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['not_found', 'The file or folder is no longer there.'],
  ENOTDIR: ['not_found', 'The file or folder is no longer there.'],
  EISDIR: ['invalid_parameter', 'This is a folder, not a file. List it with cd.'],
  EACCES: ['path_not_allowed', 'The system denies access to this file or folder.'],
  EPERM: ['path_not_allowed', 'The system denies access to this file or folder.'],
  ENAMETOOLONG: ['invalid_parameter', 'path is longer than the system allows.'],
  ELOOP: ['not_found', 'This is a loop of symbolic links.'],
  ENOSPC: ['conflict', 'The disk is full; free some space and try again.'],
  EDQUOT: ['conflict', 'The disk quota is used up; free some space and try again.'],
  EMFILE: ['conflict', 'Too many files are open; try again in a moment, or allow more with `ulimit -n`.'],
  ENFILE: ['conflict', 'Too many files are open; try again in a moment, or allow more with `ulimit -n`.'],
};

/** The code of an error that has it in its message alone: of SQLite, of a thread or process that could not start. */
function saidCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (/database or disk is full/i.test(error.message)) return 'ENOSPC';
  return /\b(?:EMFILE|ENFILE)$/.exec(error.message)?.[0];
}

/** A refusal of the system in our words, or undefined for any other error. */
export function fromSystem(error: unknown): PinholeError | undefined {
  const known = SYSTEM_ERRORS[systemCode(error) ?? ''] ?? SYSTEM_ERRORS[saidCode(error) ?? ''];
  return known && new PinholeError(known[0], known[1], { cause: error, retryable: known[0] === 'conflict' });
}
