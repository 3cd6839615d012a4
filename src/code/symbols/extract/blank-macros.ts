/** A line that defines a macro; the grammar ends the macro at a comment in it. */
const DEFINE = /^[ \t]*#[ \t]*define\b.*\/\*.*$/gm;
const COMMENT = /\/\*.*?\*\//g;
/** `extern API(void) open(…)` has its type in the macro. */
const AROUND_TYPE = /^((?:extern[ \t]+)?)([A-Z][A-Z\d_]+\()([\w \t*]+)\)(?=[ \t]+\w+[ \t]*\()/gm;
/** `API_EXPORT int open(…)`: a macro before a type and a name; the type may be several words. */
const BEFORE_TYPE =
  /^((?:(?:static|extern|inline|typedef)[ \t]+)*)((?:[A-Z][A-Z\d]*_[A-Z\d_]+|__(?!attribute|declspec|int|asm)\w+|[A-Z]{3,})(?:\([^()\n]*\))?)(?=[ \t]+(?:[A-Za-z_]\w*[ \t]*\**[ \t*]+)+\w+[ \t]*\()/gm;
/** `typedef int (APIENTRY *name)(…)` */
const BEFORE_POINTER = /(\([ \t]*)([A-Z][A-Z\d_]{2,})(?=[ \t]+\**[ \t]*\w+[ \t]*\)[ \t]*\()/g;
/** `G_BEGIN_DECLS` alone in a line. */
const ALONE = /^()((?=\w*(?:BEGIN|END|DECLS|EXTERN))[A-Z][A-Z\d_]{3,})[ \t]*$/gm;
/** `EXPORT_TYPE(name)` alone in a line, with neither a body nor a semicolon. */
const CALL_ALONE = /^()([A-Z][A-Z\d]*_[A-Z\d_]+\([^()\n]*\))[ \t]*$(?!\n[ \t]*\{)/gm;
/** `int close(void) ATTRIBUTE;` */
const BEHIND_PARAMETERS =
  /(\)\s{0,20}(?:const\s+)?)([A-Z_][A-Z\d_]{4,}(?:\([^()\n]*\))?)(?=\s*(?:[{;]|const\b))/g;
/** `void APIENTRY_CALL open(…)` */
const BEFORE_NAME = /^((?:[A-Za-z_]\w*[ \t*]+){1,4})([A-Z][A-Z\d]*_[A-Z\d_]+)(?=[ \t]+\w+[ \t]*\()/gm;
/** Two macros may follow each other, so one pattern is there twice. */
const PATTERNS = [
  BEFORE_TYPE,
  BEFORE_TYPE,
  BEFORE_NAME,
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
  let blanked = text
    .replace(DEFINE, (line) => line.replace(COMMENT, spaces))
    .replace(
      AROUND_TYPE,
      (_whole, before: string, macro: string, type: string) => `${before}${spaces(macro)}${type} `,
    );
  for (const pattern of PATTERNS) {
    blanked = blanked.replace(
      pattern,
      (whole, before: string, macro: string) =>
        `${before}${spaces(macro)}${whole.slice(before.length + macro.length)}`,
    );
  }
  return blanked;
}

function spaces(text: string): string {
  return ' '.repeat(text.length);
}
