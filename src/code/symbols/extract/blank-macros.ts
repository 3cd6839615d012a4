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
/** `G_BEGIN_DECLS` alone on a line. */
const ALONE = /^()((?=\w*(?:BEGIN|END|DECLS|EXTERN))[A-Z][A-Z\d_]{3,})[ \t]*$/gm;
/** A macro alone on a line before a class or similar: it may stand for `template <…>`. */
const BEFORE_HEAD =
  /^()([A-Z][A-Z\d]*_[A-Z\d_]+)(?=[ \t]*\r?\n[ \t]*(?:class|struct|enum|union|inline|constexpr|static|template|friend)\b)/gm;
/** `PRIVATE_UNLESS_TESTED:` among the members of a class. */
const ACCESS = /^([ \t]*)([A-Z\d_]*(?:PRIVATE|PROTECTED|PUBLIC)[A-Z\d_]*:)(?=[ \t]*$)/gm;
/** `LIB_TRY {` and `LIB_CATCH (error) {`: what is left is a block. */
const TRY =
  /^([ \t]*(?:\}[ \t]*)?)([A-Z\d_]*(?:TRY|CATCH)(?:_[A-Z\d_]+)?(?:[ \t]*\([^()\n]*\))?)(?=[ \t]*(?:\/\/[^\n]*)?\r?\n?[ \t]*\{)/gm;
/** `EXPORT_TYPE(name)` alone on a line, with neither a body nor a semicolon. */
const CALL_ALONE = /^()([A-Z][A-Z\d]*_[A-Z\d_]+\([^()\n]*\))[ \t]*$(?!\n[ \t]*\{)/gm;
/** `int close(void) ATTRIBUTE;` */
const BEHIND_PARAMETERS =
  /(\)\s{0,20}(?:const\s+)?)([A-Z_][A-Z\d_]{4,}(?:\([^()\n]*\))?)(?=\s*(?:[{;]|const\b))/g;
/** `void APIENTRY_CALL open(…)` */
const BEFORE_NAME = /^((?:[A-Za-z_]\w*[ \t*]+){1,4})([A-Z][A-Z\d]*_[A-Z\d_]+)(?=[ \t]+\w+[ \t]*\()/gm;
/** `static char *printflike(1, 2) name(…)`: behind a type, what has arguments before a name is an attribute. */
const CALL_BEFORE_NAME =
  /^((?:[A-Za-z_]\w*[ \t]+){0,3}(?!(?:static|extern|inline|const|else|return)\b)[A-Za-z_]\w*[ \t*]+)((?!(?:if|while|for|switch|sizeof|operator|defined)\b)[A-Za-z_]\w*\([\w, \t]*\))(?=[ \t]*(?:\r?\n)?[ \t]*\**(?!__|[A-Z][A-Z\d_]+\b|(?:const|noexcept|throw|override|final|requires|decltype|asm)\b)[A-Za-z_]\w*[ \t]*\()/gm;
/** `void api_call name(…)`, also with the name on the next line: a whole type and two names are one too many. */
const WORD_BEFORE_NAME =
  /^((?:(?:static|extern|inline|const|struct|union|enum|unsigned|signed)[ \t]+)*(?:\w+[ \t]*\*[ \t*]*|(?:void|int|char|long|short|float|double|bool|\w+_t)[ \t]+))((?!(?:const|volatile|restrict|int|char|long|short|double|unsigned|signed|operator|static|inline|struct|union|enum)\b)[a-z_]\w*)(?=(?:[ \t]*\r?\n|[ \t]+)(?!__|[A-Z][A-Z\d_]+\b|(?:const|noexcept|override|final)\b)[A-Za-z_]\w*[ \t]*\()/gm;
/** `class LOCKABLE_MARK Name : Base {` */
const BEFORE_CLASS =
  /(\b(?:class|struct|union)[ \t]+)([A-Z][A-Z\d]*_[A-Z\d_]+(?:\([^()\n]*\))?)(?=\s+\w+(?:\s+final)?\s*[:{])/g;
/** `int x GUARDED_BY(mutex) = 0;` */
const BEHIND_NAME =
  /(\w[ \t]+)([A-Z][A-Z\d_]*(?:GUARDED|ACQUIRED|ATTRIBUTE|ALIGNED|DEPRECATED|UNUSED)[A-Z\d_]*\([^()\n]*\))(?=[ \t]*[;={])/g;
/** `CONST_INIT_MARK std::atomic<int> count{0};` */
const BEFORE_VARIABLE =
  /^([ \t]*(?:(?:static|extern|inline)[ \t]+)*)([A-Z][A-Z\d]*_[A-Z\d_]*(?:CONST_INIT|EXPORT|API|ATTRIBUTE|NODISCARD|CONSTEXPR|DEPRECATED)[A-Z\d_]*)(?=[ \t]+\w+::)/gm;
/** `DECLARE_FLAG(bool, name, …);` at the beginning of a line: a type is not an argument of a call. */
const CALL_WITH_TYPE =
  /^()([A-Z][A-Z\d]*_[A-Z\d_]+\(\s*(?:const\s+)?(?:(?:bool|int|double|float|char|long|short|unsigned|void)\b|\w+_t\b|\w+::)(?:[^(){};]|\([^(){};]*\)){0,600}\)[ \t]*;)/gm;
/** Two macros may follow each other, so one pattern is there twice. */
const PATTERNS = [
  BEFORE_TYPE,
  BEFORE_TYPE,
  BEFORE_NAME,
  CALL_BEFORE_NAME,
  WORD_BEFORE_NAME,
  BEFORE_CLASS,
  BEFORE_VARIABLE,
  BEFORE_POINTER,
  ALONE,
  BEFORE_HEAD,
  ACCESS,
  TRY,
  CALL_ALONE,
  CALL_WITH_TYPE,
  BEHIND_PARAMETERS,
  BEHIND_NAME,
];

/**
 * Replaces macros that stand where C has no syntax for them with as many spaces, so that the grammar can read the rest.
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
  return text.replace(/[^\n]/g, ' ');
}
