import type { TypeRef } from './type-parameters.ts';
import { closing, splitType } from './type-text.ts';

/* Types of TypeScript that are computed from others. */

/** TypeScript types that are derived from others. */
export const DERIVED =
  /^(?:typeof\b|(?:ReturnType|InstanceType|Parameters)\s*<)|\[\s*(?:['"]|number\b)[^[\]]*\]$/;
/** TypeScript types whose members are those of their first argument. */
export const SAME_MEMBERS =
  /^(?:Readonly|Partial|Required|Pick|Omit|NonNullable|Awaited|Extract|Exclude|DeepReadonly|Mutable|NoInfer)$/;

/** `'a' | 'b'` */
const LITERALS = /^\s*\|?\s*(?:'[^']*'|"[^"]*")(?:\s*\|\s*(?:'[^']*'|"[^"]*"))*\s*$/;

/** Of `A & B`, the parts that do not leave out a member. */
export function partsWith(type: TypeRef, member: string): TypeRef {
  const parts = splitType(type.text, '&');
  const left = parts.filter((part) => !leavesOut(part, member));
  return left.length === parts.length ? type : { ...type, text: left.join(' & ') };
}

/** Whether a member is named in `Omit<Base, 'a' | 'b'>`, or not in `Pick<Base, 'a' | 'b'>`, also inside `Partial<…>` and similar types. */
export function leavesOut(written: string, member: string): boolean {
  const [, name = ''] = /^(\w+)\s*</.exec(written) ?? [];
  if (!SAME_MEMBERS.test(name)) return false;
  const open = written.indexOf('<');
  const [inner = '', names = ''] = splitType(written.slice(open + 1, closing(written, open)), ',');
  const isNamed = names.includes(`'${member}'`) || names.includes(`"${member}"`);
  const isLeftOut = name === 'Omit' ? isNamed : name === 'Pick' && LITERALS.test(names) && !isNamed;
  return isLeftOut || leavesOut(inner, member);
}

/** The two outcomes of `A extends B ? C : D`; none if it is not such a type. */
export function outcomes(text: string): readonly string[] {
  if (!/\sextends\s/.test(text)) return [];
  const [test = '', ...rest] = splitType(text, '?');
  return rest.length === 0 || !/\sextends\s/.test(test) ? [] : splitType(rest.join('?'), ':');
}
