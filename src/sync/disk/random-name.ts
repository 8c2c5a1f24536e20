import { randomUUID } from 'node:crypto';

/** Returns a file name that no other process creates at the same time; names sort by creation time. */
export function randomName(): string {
  // The last six bytes of such an id are random. Node makes many at once, while each `randomBytes` asks the system.
  return `${Date.now().toString(36)}-${randomUUID().slice(-12)}`;
}
