/*
 * A person who types a question in the list of sessions goes on typing in the search view. One who comes with a question
 * from elsewhere wants the results, and keys that work on them.
 */
let moves = false;

/** Called before the list gives way to the search view. */
export function takeCursorAlong(): void {
  moves = true;
}

/** Whether the cursor belongs in the field of the view that opens; asked once. */
export function cursorCameAlong(): boolean {
  const came = moves;
  moves = false;
  return came;
}
