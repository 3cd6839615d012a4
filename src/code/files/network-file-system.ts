import { statfs } from 'node:fs/promises';

/** Linux's magic numbers of file systems that other machines or programs change without an event here. */
const REMOTE = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2
  0x65735546, // FUSE: sshfs and others
  0x01021997, // 9p
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
  0x786f4256, // shared folders of VirtualBox
]);

/** Whether a kind of file system is one that other machines change without an event here. */
export function isRemoteKind(kind: number): boolean {
  return REMOTE.has(kind >>> 0);
}

/** Whether a folder is on a network: its changes cause no events, and its times may lag. */
export async function isRemote(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const found = await statfs(folder).catch(() => undefined);
  return found !== undefined && isRemoteKind(found.type);
}
