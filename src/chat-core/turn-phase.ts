/**
 * How far a turn is. `stopping`: the user stopped, the platform has not confirmed yet; nothing is taken in any more.
 * `interrupted`: the window closed in the middle; it continues when the thread is opened again.
 */
export const TURN_PHASES = [
  'sending',
  'streaming',
  'reconnecting',
  'stopping',
  'interrupted',
  'complete',
  'stopped',
  'failed',
] as const;
export type TurnPhase = (typeof TURN_PHASES)[number];

/** Whether a turn in this phase still expects something from the platform. */
export function isRunningPhase(phase: TurnPhase): boolean {
  return phase === 'sending' || phase === 'streaming' || phase === 'reconnecting' || phase === 'stopping';
}
