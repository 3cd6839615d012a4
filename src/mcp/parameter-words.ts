/**
 * A few words on inputs that agents guessed wrong, by name, or by tool and name where only one tool means it so. Other
 * inputs are explained by their names: every conversation pays for each word.
 */
const WORDS: Readonly<Record<string, string>> = {
  'regex_search.glob': "'*.ts', '!test/**'",
  'regex_search.searches': '[{pattern,path,…}]',
  since: '7d or a date',
  'sql.find': '/regex/ too',
};

/** What models are told about an input, if anything. */
export function parameterWords(tool: string, input: string): string | undefined {
  return WORDS[`${tool}.${input}`] ?? WORDS[input];
}
