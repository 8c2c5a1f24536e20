interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

export type Packages = Readonly<Record<string, Locked>>;

/**
 * Returns packages of a lock file that are installed without a hash. Optional packages for other systems are left out, because
 * they are not installed.
 */
export function withoutHash(
  locked: Packages,
  system: { readonly os: string; readonly cpu: string },
): readonly string[] {
  return Object.entries(locked)
    .filter(([path, { integrity, link }]) => path !== '' && link !== true && integrity === undefined)
    .filter(([, entry]) => entry.optional !== true || isFor(entry, system))
    .map(([path]) => path);
}

/** Returns packages whose installed version or bytes differ from the lock file. */
export function notAsLocked(locked: Packages, installed: Packages): readonly string[] {
  return Object.entries(installed)
    .filter(([path, { version, integrity, link }]) => {
      const expected = locked[path];
      const isSame = expected?.version === version && expected?.integrity === integrity;
      return link !== true && (integrity === undefined || !isSame);
    })
    .map(([path]) => path);
}

function isFor({ os, cpu }: Locked, system: { readonly os: string; readonly cpu: string }): boolean {
  return os?.includes(system.os) !== false && cpu?.includes(system.cpu) !== false;
}
