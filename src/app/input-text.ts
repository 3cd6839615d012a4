/** The JSON Schema of an input, as far as it is put into words. */
export interface InputField {
  readonly description?: string;
  readonly type?: string;
  readonly anyOf?: unknown;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What an input means and takes, for help and reference: `rows per page: 1..50 (default 10)`. */
export function inputText({ description = '', ...field }: InputField): string {
  const takes =
    field.enum?.join(' | ') ??
    (field.minimum !== undefined && field.maximum !== undefined ? `${field.minimum}..${field.maximum}` : '');
  const value = field.default === undefined ? '' : `(default ${field.default})`;
  return [takes === '' ? description : `${description}: ${takes}`, value]
    .filter((part) => part !== '')
    .join(' ');
}
