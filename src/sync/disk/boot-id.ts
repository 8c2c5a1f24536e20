import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** The system's id, which no process outlives: each temporary name asks for it. */
let known: string | undefined;

/**
 * Returns an id that differs after each start of the machine. Where the system has no boot ids, it is derived from the
 * clock. Setting the clock then changes it too, so a different id does not prove a restart.
 */
export function bootId(): string {
  try {
    return (known ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  } catch {
    // The time of the start, rounded to minutes, because the two clocks are not read at the same instant.
    return String(Math.round((Date.now() / 1000 - uptime()) / 60));
  }
}
