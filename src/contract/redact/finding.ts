/** A stretch of text that must not leave, and what it is. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** Known by its name or place only (`password=…`); the kind of a better known finding inside it wins. */
  readonly vague?: true;
}

/** Looks at the text around a trigger word that starts at `at`; its work is bounded, whatever the text. */
export type Detector = (text: string, at: number) => Finding | undefined;

/** A word that must be in the text for a detector to have anything to find. */
export interface Trigger {
  /** At least three ASCII characters; written in lower case when `anyCase` is set. */
  readonly word: string;
  readonly anyCase?: true;
  readonly detect: Detector;
}
