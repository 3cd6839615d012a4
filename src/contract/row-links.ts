import { isObject } from './guards.ts';
import type { Operation } from './operation.ts';

/** The data with an address in each row that has one; see `rowLink` of {@link Operation}. */
export function withRowLinks(
  { rows, rowLink }: Pick<Operation<never>, 'rows' | 'rowLink'>,
  data: unknown,
  url: (path: string) => string,
): unknown {
  if (rowLink === undefined || !isObject(data)) return data;
  const fields = [rows ?? []].flat();
  const linked = (row: unknown) => {
    if (!isObject(row)) return row;
    const path = filled(rowLink, (name) => (Object.hasOwn(row, name) ? row : data)[name]);
    return path === undefined ? row : { ...row, link: url(path) };
  };
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      fields.includes(name) && Array.isArray(value) ? value.map(linked) : value,
    ]),
  );
}

/** The path with the values of its names, or undefined if one is missing. */
function filled(template: string, fieldOf: (name: string) => unknown): string | undefined {
  let complete = true;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = fieldOf(name);
    if (value === undefined) complete = false;
    return encodeURIComponent(String(value));
  });
  return complete ? path : undefined;
}
