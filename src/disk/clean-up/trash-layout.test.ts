import { expect, test } from 'vitest';
import { trashLayout } from './trash-layout.ts';

const NOW = Date.UTC(2026, 10, 15, 3, 45, 12);

test('Linux: files and records side by side', () => {
  const layout = trashLayout('linux');
  expect(layout.own('/home/ada', {})?.files).toBe('/home/ada/.local/share/Trash/files');
  expect(layout.own('/home/ada', { XDG_DATA_HOME: '/data' })?.info).toBe('/data/Trash/info');
  expect(layout.atTop('/mnt/usb', '1000').files).toBe('/mnt/usb/.Trash-1000/files');
  expect(layout.names('/x/a b.txt', 2)).toEqual({ file: 'a b.txt.2', record: 'a b.txt.2.trashinfo' });
  expect(layout.record({ path: '/x/a b.txt', size: 1 }, NOW)).toBe(
    '[Trash Info]\nPath=/x/a%20b.txt\nDeletionDate=2026-11-15T03:45:12\n',
  );
  expect(layout.recordOf('/t/Trash/files/a')).toBe('/t/Trash/info/a.trashinfo');
});

test("macOS: the Finder's trash, of the user and of each volume", () => {
  const layout = trashLayout('darwin');
  expect(layout.own('/Users/ada', {})?.files).toBe('/Users/ada/.Trash');
  expect(layout.atTop('/Volumes/Backup', '501').files).toBe('/Volumes/Backup/.Trashes/501');
  expect(layout.recordOf('/Users/ada/.Trash/a.txt')).toBe('/Users/ada/.Trash/.pinhole/a.txt.trashinfo');
});

test('Windows: the Recycle Bin of the drive, with records that Explorer reads', () => {
  const layout = trashLayout('win32');
  const path = 'D:\\Photos\\Ä 1.jpg';
  expect(layout.own('C:\\Users\\Ada', {})).toBeUndefined();
  expect(layout.atTop('D:\\', 'S-1-5-21-1').files).toBe('D:\\$Recycle.Bin\\S-1-5-21-1');
  const { file, record } = layout.names(path, 0);
  expect(file).toMatch(/^\$R[0-9A-Z]{6}\.jpg$/);
  expect(record).toBe(`$I${file.slice(2)}`);
  expect(layout.recordOf(`D:\\$Recycle.Bin\\S-1-5-21-1\\${file}`)).toBe(
    `D:\\$Recycle.Bin\\S-1-5-21-1\\${record}`,
  );
  const bytes = Buffer.from(layout.record({ path, size: 1234 }, NOW));
  expect([bytes.readBigInt64LE(0), bytes.readBigInt64LE(8)]).toEqual([2n, 1234n]);
  expect(Number(bytes.readBigInt64LE(16) / 10_000n - 11_644_473_600_000n)).toBe(NOW);
  expect(bytes.readInt32LE(24)).toBe(path.length + 1);
  expect(bytes.subarray(28).toString('utf16le')).toBe(`${path}\0`);
});
