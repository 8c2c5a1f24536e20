import { describe } from 'vitest';
import { byKeyboard } from './by-keyboard.journey.ts';
import { byMouse } from './by-mouse.journey.ts';
import { inOneWindow } from './journey.ts';

const settings = { 'files.autoSave': 'off', 'modelbench.language.engineCheck.run': 'off' };

describe('a user with one device', () => {
  const platform = { faults: true };
  const play = inOneWindow({ signedIn: true, branch: 'pricing-experiments', platform, host: { settings } });

  play(
    'pushes 30 files, finishes a commit that met a colleague’s change, and merges to production by keyboard alone',
    'keyboard',
    byKeyboard,
  );
  // In the dev branch of the first one, with what that has left.
  play('does the same by mouse alone', 'mouse', byMouse, byKeyboard);
});
