/** The views and what they are called everywhere. */
export const VIEW_NAMES: Readonly<Record<string, string>> = {
  disk: 'Disk',
  sessions: 'Sessions',
  code: 'Code',
  activity: 'Activity',
};
