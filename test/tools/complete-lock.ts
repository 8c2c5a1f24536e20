// node test/tools/complete-lock.ts, after npm install: npm omits a binary package for another system from the lock file if it
// could not look it up, and `npm ci` then refuses that file everywhere. This script adds such entries.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.ts';

interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly os?: readonly string[];
}

export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

/** Returns the entries that a lock file lacks: optional dependencies with an exact version, named after their system. */
export function missingEntries({ packages }: LockFile): Readonly<Record<string, LockEntry>> {
  const missing: Record<string, LockEntry> = {};
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (!resolves(packages, path, name)) missing[`node_modules/${name}`] = systemEntry(name, version, entry);
    }
  }
  return missing;
}

/** Returns the lock file with its missing entries, in npm's order. */
export function completed(lock: LockFile): LockFile {
  const { '': top = {}, ...packages } = { ...lock.packages, ...missingEntries(lock) };
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: { '': top, ...Object.fromEntries(sorted) } };
}

function systemEntry(name: string, version: string, parent: LockEntry): LockEntry {
  if (!/^\d/.test(version)) throw new Error(`${name} has no exact version: ${version}`);
  const words = (name.split('/').at(-1) ?? name).split('-');
  const os = words.find((word) => systems.includes(word));
  const cpu = words.find((word) => processors.includes(word));
  if (os === undefined || cpu === undefined) throw new Error(`${name} does not say which system it is for`);
  const libc = os !== 'linux' ? undefined : libcOf(words);
  return {
    version,
    cpu: [cpu],
    ...(parent.dev ? { dev: true } : {}),
    ...(libc ? { libc: [libc] } : {}),
    optional: true,
    os: [os],
  };
}

function libcOf(words: readonly string[]): string | undefined {
  if (words.some((word) => word.startsWith('musl'))) return 'musl';
  return words.some((word) => word.startsWith('gnu')) ? 'glibc' : undefined;
}

/** Follows Node's own search: the package's folder, then each folder above. */
function resolves(packages: LockFile['packages'], from: string, name: string): boolean {
  const candidate = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (candidate in packages) return true;
  if (from === '') return false;
  return resolves(packages, from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0)), name);
}

if (import.meta.main) {
  const file = join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile;
  const names = Object.keys(missingEntries(lock));
  if (names.length > 0) writeFileSync(file, `${JSON.stringify(completed(lock), undefined, 2)}\n`);
  console.log(names.length === 0 ? 'The lock file is complete.' : `Added ${names.length} packages of other systems.`);
}
