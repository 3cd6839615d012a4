/** `#define A (B /* why *\/ | C)`: the grammar ends the macro at the comment. */
const COMMENT_IN_MACRO = /(?<=^[ \t]*#[ \t]*define\b[^\n]*)\/\*[^\n]*?\*\//gm;
/** `API_EXPORT int open(…)`: a macro before a type and a name; the type may be several words. */
const BEFORE_TYPE =
  /(?<=^(?:(?:static|extern|inline|typedef)[ \t]+)*)(?:[A-Z][A-Z\d]*_[A-Z\d_]+|__(?!attribute|declspec|int|asm)\w+|[A-Z]{3,})(?:\([^()\n]*\))?(?=[ \t]+(?:[A-Za-z_]\w*[ \t]*\**[ \t*]+)+\w+[ \t]*\()/gm;
/** `typedef int (APIENTRY *name)(…)` */
const BEFORE_POINTER = /(?<=\([ \t]*)[A-Z][A-Z\d_]{2,}(?=[ \t]+\**[ \t]*\w+[ \t]*\)[ \t]*\()/g;
/** `G_BEGIN_DECLS` alone in a line. */
const ALONE = /^(?=\w*(?:BEGIN|END|DECLS|EXTERN))[A-Z][A-Z\d_]{3,}[ \t]*$/gm;
/** `EXPORT_TYPE(name)` alone in a line, with neither a body nor a semicolon. */
const CALL_ALONE = /^[A-Z][A-Z\d]*_[A-Z\d_]+\([^()\n]*\)[ \t]*$(?!\n[ \t]*\{)/gm;
/** `int close(void) ATTRIBUTE;` */
const BEHIND_PARAMETERS = /(?<=\)[ \t]*\n?[ \t]*(?:const[ \t]+)?)[A-Z_][A-Z\d_]{4,}(?=\s*(?:[{;]|const\b))/g;
/** `extern API(void) open(…)` has its type in the macro. */
const AROUND_TYPE = /(?<=^(?:extern[ \t]+)?)([A-Z][A-Z\d_]+\()([\w \t*]+)\)(?=[ \t]+\w+[ \t]*\()/gm;
const PATTERNS = [
  COMMENT_IN_MACRO,
  BEFORE_TYPE,
  BEFORE_TYPE,
  BEFORE_POINTER,
  ALONE,
  CALL_ALONE,
  BEHIND_PARAMETERS,
];

/**
 * Replaces macros that stand where C has no syntax for them by as many spaces, so that the grammar reads what is left.
 * Names and places stay the same.
 */
export function blankMacros(text: string): string {
  let blanked = text.replace(
    AROUND_TYPE,
    (_whole, macro: string, type: string) => `${' '.repeat(macro.length)}${type} `,
  );
  for (const pattern of PATTERNS) blanked = blanked.replace(pattern, (macro) => ' '.repeat(macro.length));
  return blanked;
}
