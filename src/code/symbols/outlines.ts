import { createMatcher } from '../../regex/matcher.ts';
import { smartCase } from '../../regex/smart-case.ts';
import { PatternError, UnsupportedPattern } from '../../regex/syntax.ts';
import type { Definition } from './file-symbols.ts';
import { qualifiedNames } from './qualified-names.ts';
import type { SymbolQuestion } from './symbol-question.ts';

/** A definition in an outline. */
export interface OutlineRow {
  /** Set for a definition in a folder. */
  readonly path?: string | undefined;
  readonly name: string;
  readonly kind: string;
  readonly line_start: number;
  readonly line_end: number;
  readonly depth?: number | undefined;
  readonly signature?: string | undefined;
  /** The names of its fields and constants. */
  readonly fields?: readonly string[] | undefined;
}

export type NameTest = ((name: string) => boolean) | undefined;

/** A test for names: a regular expression, or plain text if it is not a valid one. */
export function nameTest(pattern: string | undefined): NameTest {
  if (pattern === undefined) return undefined;
  const matcher = (fixed: boolean) =>
    createMatcher({ pattern, insensitive: smartCase(pattern, fixed), word: false, fixed });
  const test = (() => {
    try {
      return matcher(false);
    } catch (error) {
      if (error instanceof PatternError || error instanceof UnsupportedPattern) return matcher(true);
      throw error;
    }
  })();
  return (name) => {
    const bytes = Buffer.from(name);
    return test.test(bytes, 0, bytes.length);
  };
}

/**
 * The definitions of a file; fields and constants in types are listed after their type, unless names are searched for.
 */
export function fileOutline(definitions: readonly Definition[], matches: NameTest): readonly OutlineRow[] {
  const rows: OutlineRow[] = [];
  const qualified = qualifiedNames(definitions);
  for (const [at, definition] of definitions.entries()) {
    const { name, kind, from, to, parent, signature } = definition;
    const apart = isApart(definition, definitions);
    const place = { name: apart ? (qualified[at] ?? name) : name, kind, line_start: from, line_end: to };
    if (matches !== undefined) {
      const whole = qualified[at] ?? name;
      if (matches(whole)) rows.push({ ...place, name: whole, signature });
    } else if (!isDetail(definition)) {
      const fields = definitions.filter((each) => each.parent === at && isDetail(each));
      const depth = apart ? 0 : depthOf(definitions, parent);
      rows.push({
        ...place,
        ...(depth > 0 ? { depth } : {}),
        ...(fields.length > 0 ? { fields: fields.map((each) => each.name) } : {}),
      });
    }
  }
  return rows;
}

/** The top-level definitions of files, or all whose names match; about as many as wanted, in whole files. */
export async function folderOutline(
  { files }: SymbolQuestion,
  paths: readonly string[],
  matches: NameTest,
  most: number,
): Promise<readonly OutlineRow[]> {
  const found: OutlineRow[] = [];
  for (const path of paths) {
    if (found.length >= most) break;
    const { definitions } = await files.facts(path);
    const rows = definitions
      .filter(({ name, scope, parent, kind }) =>
        matches === undefined
          ? parent === undefined && !isGuard(name, kind)
          : matches(scope === '' ? name : `${scope}.${name}`),
      )
      .map(({ name, scope, kind, from, to }) => ({
        path,
        name: scope === '' ? name : `${scope}.${name}`,
        kind,
        line_start: from,
        line_end: to,
      }));
    found.push(...rows);
  }
  return found;
}

/** `#define POOL_H` at the top of a header. */
function isGuard(name: string, kind: string): boolean {
  return kind === 'macro' && /_(?:H|HPP|HH|H_INCLUDED|INCLUDED)_*$/.test(name);
}

/** A field, or a constant of an enum: shown with the type that it is in. */
function isDetail({ kind, parent }: Definition): boolean {
  return parent !== undefined && (kind === 'field' || kind === 'constant' || kind === 'variable');
}

/** Whether a definition is written outside the type that it belongs to, as methods are in Go and Rust. */
function isApart({ parent, owner, line }: Definition, definitions: readonly Definition[]): boolean {
  const around = parent === undefined ? undefined : definitions[parent];
  return owner !== undefined || (around !== undefined && (line < around.from || around.to < line));
}

function depthOf(definitions: readonly Definition[], parent: number | undefined): number {
  let depth = 0;
  for (let at = parent; at !== undefined; at = definitions[at]?.parent) depth++;
  return depth;
}
