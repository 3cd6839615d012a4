/** The most bytes of an answer with the default number of rows, for a caller with a small budget. */
export const GLANCE_BYTES = 2_500;
