import { NONE } from './flat-tree.ts';

/** What is known of each node while a file is read. The columns are reused for every file. */
export class NodeColumns {
  /** The scope of what is in the node. */
  scopes = new Int32Array(0);
  /** The innermost definition around what is in the node. */
  insides = new Int32Array(0);
  roles = new Uint8Array(0);

  reset(count: number): void {
    if (this.roles.length < count) {
      this.scopes = new Int32Array(count * 2);
      this.insides = new Int32Array(count * 2);
      this.roles = new Uint8Array(count * 2);
    } else this.roles.fill(0, 0, count);
  }

  scope(node: number): number {
    return this.scopes[node] ?? 0;
  }

  inside(node: number): number {
    return this.insides[node] ?? NONE;
  }

  role(node: number): number {
    return this.roles[node] ?? 0;
  }
}
