import { VIEWS } from '../views.ts';

/** A keyboard shortcut, for the help dialog. */
export interface KeyHelp {
  readonly keys: string;
  readonly does: string;
}

export const KEY_HELP: readonly { readonly where: string; readonly keys: readonly KeyHelp[] }[] = [
  {
    where: 'Everywhere',
    keys: [
      { keys: '/', does: 'Search everything' },
      { keys: 'Ctrl K', does: 'Search everything' },
      { keys: '?', does: 'Show this help' },
      ...VIEWS.map(({ key, label }) => ({ keys: `g ${key}`, does: label })),
      { keys: 't', does: 'Toggle theme' },
    ],
  },
  {
    where: 'Lists',
    keys: [
      { keys: '↑ ↓', does: 'Move' },
      { keys: 'Enter', does: 'Open' },
      { keys: 'Home End', does: 'First, last' },
    ],
  },
  {
    where: 'Disk map',
    keys: [
      { keys: '← ↑ ↓ →', does: 'Next box' },
      { keys: 'Enter', does: 'Zoom in' },
      { keys: 'Esc', does: 'Zoom out' },
      { keys: 's', does: 'Select the box' },
    ],
  },
  {
    where: 'Code',
    keys: [
      { keys: '↓', does: 'Move to the results' },
      { keys: 'Enter', does: 'Open the file at the line' },
      { keys: 'Esc', does: 'Close the file' },
    ],
  },
  { where: 'Sessions', keys: [{ keys: 'j k', does: 'Next, previous session' }] },
  {
    where: 'Session',
    keys: [
      { keys: 'j k', does: 'Next, previous turn' },
      { keys: 'f', does: 'Next failed call' },
      { keys: 'Ctrl F', does: 'Find in this session' },
    ],
  },
];

/** True when the key is typed into a field. */
export function typing(event: KeyboardEvent): boolean {
  const { target } = event;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select'))
  );
}

/** The key, unless it belongs to a field or to a shortcut of the browser. */
export function plainKey(event: KeyboardEvent): string | undefined {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || typing(event))
    return undefined;
  return event.key;
}
