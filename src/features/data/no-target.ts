import { Hint } from '#shell/user-error.ts';

/** Returns the hint for a user who queries without any target. */
export function noTarget(): Hint {
  return new Hint(
    'No Cube Core server answers on this machine. Start one, choose where queries run, or link this folder to a deployment.',
    { title: 'Choose Where Queries Run…', command: 'modelbench.data.chooseTarget' },
  );
}
