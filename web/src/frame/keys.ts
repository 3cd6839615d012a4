/** What a key does, for the help window and for whoever listens. */
export interface KeyHelp {
  readonly keys: string;
  readonly does: string;
}

export const KEY_HELP: readonly { readonly where: string; readonly keys: readonly KeyHelp[] }[] = [
  {
    where: 'Everywhere',
    keys: [
      { keys: '/', does: 'search' },
      { keys: '?', does: 'this help' },
      { keys: 'g h', does: 'Home' },
      { keys: 'g d', does: 'Disk' },
      { keys: 'g s', does: 'Sessions' },
      { keys: 'g c', does: 'Code' },
      { keys: 'g a', does: 'Activity' },
      { keys: 't', does: 'dark or light' },
    ],
  },
  {
    where: 'Lists',
    keys: [
      { keys: '↑ ↓', does: 'move' },
      { keys: 'Enter', does: 'open' },
      { keys: 'Home End', does: 'first, last' },
    ],
  },
  {
    where: 'Disk map',
    keys: [
      { keys: '← ↑ ↓ →', does: 'next box' },
      { keys: 'Enter', does: 'zoom in' },
      { keys: 'Esc', does: 'zoom out' },
      { keys: 's', does: 'select the box' },
    ],
  },
  {
    where: 'Code',
    keys: [
      { keys: '↓', does: 'from the field to the hits' },
      { keys: 'Enter', does: 'open the file at the line' },
      { keys: 'Esc', does: 'close it' },
    ],
  },
  {
    where: 'Session',
    keys: [
      { keys: 'j k', does: 'next, previous turn' },
      { keys: 'f', does: 'next failure' },
    ],
  },
];

/** True while keys are text for a field. */
export function typing(event: KeyboardEvent): boolean {
  const { target } = event;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select'))
  );
}

/** A plain key press that no field or browser shortcut wants. */
export function plainKey(event: KeyboardEvent): string | undefined {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || typing(event))
    return undefined;
  return event.key;
}
