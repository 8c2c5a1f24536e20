export interface SimulatedFile {
  readonly kind: 'file';
  readonly inode: bigint;
  bytes: Buffer;
  /** The bytes that survive a power loss. */
  durable: Buffer;
  time: number;
  mode: number;
}

export interface SimulatedFolder {
  readonly kind: 'folder';
  readonly inode: bigint;
  time: number;
  /** By key: the form of a name that the disk compares. */
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

/** Returns what remains of unflushed bytes: none of them, or a part of those appended to flushed ones. */
export function unsynced({ bytes, durable }: SimulatedFile, coin: () => boolean): Buffer {
  if (!coin()) return durable;
  const isAdded = durable.length > 0 && bytes.subarray(0, durable.length).equals(durable);
  return isAdded ? bytes.subarray(0, (durable.length + bytes.length) >> 1) : Buffer.alloc(0);
}

/** Returns the names in a path. */
export function steps(file: string): string[] {
  return file.split('/').filter((step) => step !== '');
}
