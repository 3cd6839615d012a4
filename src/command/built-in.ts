/** A command that is more than one operation, such as `mcp` or `start`. */
export interface BuiltIn {
  readonly usage: string;
  /** Each flag and what it does, for the help text. */
  readonly flags: readonly (readonly [string, string])[];
  readonly examples: readonly string[];
  /** Values that flags take, for completion; those of the first argument under an empty name. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Returns the exit code: 0 success, 1 failure, 2 usage error. */
  run(args: readonly string[]): Promise<number>;
}
