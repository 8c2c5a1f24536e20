/** The properties of a file system. */
export interface DiskKind {
  readonly name: string;
  readonly ignoresCase?: boolean;
  /** Both Unicode forms find a name; `decomposed`: it is also always stored in NFD, as on HFS+. */
  readonly unicode?: 'preserved' | 'decomposed';
  readonly noHardLinks?: boolean;
  /** Whether every file has the number 0. */
  readonly noInodes?: boolean;
  /** Resolution of time stamps, in milliseconds. */
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
