/*
 * Someone who types a query in the list of sessions goes on typing in the search view. Someone who brings a query from
 * elsewhere wants the results, and keys that work on them.
 */
let moves = false;

/** Call this before the search view replaces the list. */
export function takeCursorAlong(): void {
  moves = true;
}

/** Whether the cursor belongs in the field of the view that opens; true only once. */
export function cursorCameAlong(): boolean {
  const came = moves;
  moves = false;
  return came;
}
