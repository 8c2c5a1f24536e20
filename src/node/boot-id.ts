import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** A text that is another one after each start of the machine. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Start of the machine, to ten minutes: clocks are set, and the two readings are not taken together.
    return String(Math.round((Date.now() / 1000 - uptime()) / 600));
  }
}
