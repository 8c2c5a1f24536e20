import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/**
 * A text that is another one after each start of the machine. Where the system does not name its boots, it follows the
 * clock: a clock that is set makes it another one, too, so it never proves that the machine was restarted.
 */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Start of the machine, to the minute: the two readings are not taken together.
    return String(Math.round((Date.now() / 1000 - uptime()) / 60));
  }
}
