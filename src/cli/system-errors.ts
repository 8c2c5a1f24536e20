import { mkdirSync } from 'node:fs';
import { ToolError } from '#tools/tool.ts';

/** Does work on files of this machine; what the system refuses becomes a sentence with the file and what to do. */
export async function namingFiles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const text = refusalOf(realReason(error));
    throw text === undefined ? error : new ToolError('platform', text);
  }
}

/** Node reports a read-only disk as a missing folder when it makes several; the first of them, made alone, shows the reason. */
function realReason(error: unknown): unknown {
  const { code, syscall, path } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code !== 'ENOENT' || syscall !== 'mkdir' || path === undefined) return error;
  try {
    mkdirSync(path, { mode: 0o700 });
    return error;
  } catch (reason) {
    return reason;
  }
}

/** Returns what the system refused, as a sentence with the file and what to do; `undefined` for any other error. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path } = error as NodeJS.ErrnoException;
  const reason = code !== undefined && Object.hasOwn(REASONS, code) ? REASONS[code as keyof typeof REASONS] : undefined;
  if (reason === undefined || path === undefined) return undefined;
  // Node cannot open a name that it had to decode with this character.
  return `“${path}” cannot be used: ${path.includes('\u{fffd}') ? 'its name is not UTF-8. Rename it, then try again.' : reason}`;
}

const REASONS = {
  EACCES: 'permission is denied. Change its permissions, or choose another folder.',
  EPERM: 'permission is denied. Change its permissions, or choose another folder.',
  EROFS: 'the file system is read-only. Choose a folder that can be written to.',
  ENOTDIR: 'something on the way to it is not a folder. Choose another folder.',
  EISDIR: 'it is a folder.',
  ENOENT: 'it does not exist, or was removed meanwhile. Try again.',
  ENOSPC: 'the disk is full. Free some space, then try again.',
  EDQUOT: 'your quota of the disk is used up. Free some space, then try again.',
  EMFILE: 'too many files are open. Close other programs, then try again.',
  ELOOP: 'its links lead in a circle.',
} as const;
