import { randomBytes } from 'node:crypto';

/** Returns a file name that no other process creates at the same time; names sort by creation time. */
export function randomName(): string {
  return `${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;
}
