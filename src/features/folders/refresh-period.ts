/**
 * The shortest period between checks of a window without focus, in seconds. Such a window may still be visible beside another
 * program, and VS Code does not say so. It is the period after which VS Code's Git fetches, so that several windows together
 * send little more than the one with the focus.
 */
const UNFOCUSED_SECONDS = 180;

/** Returns the seconds between two checks of a window, given the setting; 0 stays 0: no checks (docs/sync.md#scans-and-the-disk). */
export function refreshPeriod(setting: number, isFocused: boolean): number {
  return isFocused || setting <= 0 ? setting : Math.max(setting, UNFOCUSED_SECONDS);
}
