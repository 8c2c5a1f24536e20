import { constants, getPriority } from 'node:os';
import { describe, expect, it } from 'vitest';
import { run } from '../../tools/run.ts';

const tellPriority = ['-e', 'console.log(require("node:os").getPriority())'];

describe('a command', () => {
  it('has the priority of the one who starts it, and a lower one in the background', async () => {
    const { output } = await run('node', tellPriority);
    expect(Number(output)).toBe(getPriority());
    const behind = await run('node', tellPriority, { isInBackground: true });
    expect(Number(behind.output)).toBe(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  });

  it('that cannot be started is an answer, also in the background', async () => {
    expect(await run('there-is-no-such-command', [], { isInBackground: true })).toMatchObject({ code: 127 });
  });
});
