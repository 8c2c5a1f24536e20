/** What a file system is like. */
export interface DiskKind {
  readonly name: string;
  readonly ignoresCase?: boolean;
  /** A name is found in either Unicode form; `decomposed`: and always stored in NFD, as HFS+ does. */
  readonly unicode?: 'preserved' | 'decomposed';
  readonly noHardLinks?: boolean;
  /** Every file has the number 0. */
  readonly noInodes?: boolean;
  /** Time stamps count in steps of so many ms. */
  readonly stepMs?: number;
}

export const diskKinds: readonly DiskKind[] = [
  { name: 'an ordinary disk' },
  { name: 'a disk that ignores case', ignoresCase: true },
  {
    name: 'a disk without hard links and inodes, stamps of two seconds',
    noHardLinks: true,
    noInodes: true,
    stepMs: 2000,
  },
  {
    name: 'a disk that ignores case, without hard links and inodes',
    ignoresCase: true,
    noHardLinks: true,
    noInodes: true,
    stepMs: 2000,
  },
  { name: 'a disk that ignores case and Unicode form, as APFS', ignoresCase: true, unicode: 'preserved' },
  {
    name: 'a disk that ignores case and stores names decomposed, as HFS+',
    ignoresCase: true,
    unicode: 'decomposed',
    stepMs: 1000,
  },
];
