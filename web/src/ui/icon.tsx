/** Line icons on a 16-pixel grid, in the colour of the text. */
const PATHS = {
  home: 'M2.5 7 8 2.5 13.5 7v6.5h-4V9.5h-3v4h-4z',
  gauge: 'M2.5 11.5a6 6 0 1 1 11 0M8 9.500 11 6M2.500 13.500h11',
  disk: 'M2.5 3h11v10h-11zM2.5 7.5h7M9.5 3v10M9.5 9.5h4',
  sessions: 'M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2zM5 6h6M5 8h4',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  activity: 'M1.5 8.5h3l2-5.5 3 10 2-4.5h3',
  table: 'M2.5 3h11v10h-11zM2.5 6.5h11M2.5 9.8h11M6.5 6.5V13',
  settings:
    'M2.5 4.5h6M11.500 4.500h2M10 3v3M2.500 8h2M7.500 8h6M6 6.500v3M2.500 11.500h7M12.500 11.500h1M11 10v3',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5 14 14',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  folder: 'M1.5 3.5h4.5l1.5 2h7v7.5h-13z',
  file: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a2.8 2.8 0 0 1 4 4L11 8.5M9 11.500l-1.500 1.500a2.800 2.800 0 0 1-4-4L5 7.500',
  right: 'M6 3.500 10.500 8 6 12.500',
  down: 'M3.500 6 8 10.500 12.500 6',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  close: 'M3.500 3.500l9 9M12.500 3.500l-9 9',
  check: 'M3 8.500 6.500 12 13 4.500',
  trash: 'M2.500 4h11M6 4V2.500h4V4M4 4l.7 9.500h6.600L12 4M6.700 6.500v4.500M9.300 6.500v4.500',
  star: 'M8 2l1.800 3.900 4.200.500-3.100 2.900.800 4.200L8 11.400l-3.700 2.100.800-4.200L2 6.400l4.200-.500z',
  note: 'M3 2.500h10v7L9.500 13.500H3zM9.500 13.500v-4H13M5.500 5.500h5M5.500 8h3',
  up: 'M8 13V3.500M4 7.500l4-4 4 4',
  question:
    'M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM6 6.200a2 2 0 1 1 2.700 2c-.5.2-.7.5-.7 1.100M8 11.500v.3',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
