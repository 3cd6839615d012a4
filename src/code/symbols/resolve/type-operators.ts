import { closing, splitType } from './type-text.ts';

/* Types of TypeScript that are computed from others. */

/** TypeScript types that are derived from others. */
export const DERIVED =
  /^(?:typeof\b|(?:ReturnType|InstanceType|Parameters)\s*<)|\[\s*(?:['"]|number\b)[^[\]]*\]$/;
/** TypeScript types whose members are those of their first argument. */
export const SAME_MEMBERS =
  /^(?:Readonly|Partial|Required|Pick|Omit|NonNullable|Awaited|Extract|Exclude|DeepReadonly|Mutable|NoInfer)$/;

/** Whether a member is named in `Omit<Base, 'a' | 'b'>`, also inside `Partial<…>` and similar types. */
export function leavesOut(written: string, member: string): boolean {
  const [, name = ''] = /^(\w+)\s*</.exec(written) ?? [];
  if (!SAME_MEMBERS.test(name)) return false;
  const open = written.indexOf('<');
  const [inner = '', names = ''] = splitType(written.slice(open + 1, closing(written, open)), ',');
  const isNamed = names.includes(`'${member}'`) || names.includes(`"${member}"`);
  return (name === 'Omit' && isNamed) || leavesOut(inner, member);
}

/** The two outcomes of `A extends B ? C : D`; none if it is not such a type. */
export function outcomes(text: string): readonly string[] {
  if (!/\sextends\s/.test(text)) return [];
  const [test = '', ...rest] = splitType(text, '?');
  return rest.length === 0 || !/\sextends\s/.test(test) ? [] : splitType(rest.join('?'), ':');
}
