/**
 * The progress of a turn. `stopping`: the user stopped it and the platform has not confirmed yet; further events are ignored.
 * `interrupted`: the window closed during the answer, which continues when the thread is opened again.
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

/** Whether a turn in this phase still waits for the platform. */
export function isRunningPhase(phase: TurnPhase): boolean {
  return phase === 'sending' || phase === 'streaming' || phase === 'reconnecting' || phase === 'stopping';
}
