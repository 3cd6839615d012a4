const SLOTS = 7;

function slotOf(name: string): number {
  let hash = 7;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % SLOTS;
}

/**
 * A colour for each name. A name has the same colour everywhere, unless it appears together with another name of that
 * colour: then one of the two takes the next free colour.
 */
export function coloursOf(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<number>();
  const colours = new Map<string, string>();
  for (const name of [...names].sort()) {
    let slot = slotOf(name);
    for (let tries = 0; taken.has(slot) && tries < SLOTS; tries++) slot = (slot + 1) % SLOTS;
    taken.add(slot);
    colours.set(name, `var(--c${slot + 1})`);
  }
  return colours;
}

/** For the rest when there are more names than colours. */
export const OTHER_COLOUR = 'var(--c8)';
export const MAX_COLOURS = SLOTS;
