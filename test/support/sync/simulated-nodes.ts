export interface SimulatedFile {
  readonly kind: 'file';
  readonly inode: bigint;
  bytes: Buffer;
  /** What a power loss leaves. */
  durable: Buffer;
  time: number;
  mode: number;
}

export interface SimulatedFolder {
  readonly kind: 'folder';
  readonly inode: bigint;
  time: number;
  /** By key: what the disk compares of a name. */
  entries: Map<string, Named>;
  durable: Map<string, Named>;
}

/** A symbolic link. */
export interface SimulatedLink {
  readonly kind: 'link';
  readonly inode: bigint;
  readonly target: string;
  time: number;
}

export interface Named {
  readonly name: string;
  readonly node: SimulatedFile | SimulatedFolder | SimulatedLink;
}

/** What is left of bytes that nobody synced: none of them, or a part of what was added to synced ones. */
export function unsynced({ bytes, durable }: SimulatedFile, coin: () => boolean): Buffer {
  if (!coin()) return durable;
  const isAdded = durable.length > 0 && bytes.subarray(0, durable.length).equals(durable);
  return isAdded ? bytes.subarray(0, (durable.length + bytes.length) >> 1) : Buffer.alloc(0);
}

/** The names in a path. */
export function steps(file: string): string[] {
  return file.split('/').filter((step) => step !== '');
}
