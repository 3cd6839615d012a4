/** About how many o200k tokens a text has. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
