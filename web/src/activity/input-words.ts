/**
 * The input of a call as a person would say it; as it is if it was cut and cannot be read.
 *
 * @example inputWords('{"query":"fail","limit":20}') // 'query: fail, limit: 20'
 */
export function inputWords(json: string): string {
  let input: unknown;
  try {
    input = JSON.parse(json);
  } catch {
    return json;
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return json;
  const words = Object.entries(input).map(
    ([name, value]) =>
      `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return words.length === 0 ? 'no input' : words.join(', ');
}
