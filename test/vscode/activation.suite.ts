import assert from 'node:assert/strict';
import { theExtension } from './extension.ts';
import { describe, it } from './runner.ts';

describe('activation', () => {
  it('succeeds and says how long it took', async () => {
    const { extension } = theExtension();
    const early = extension.isActive;
    const started = performance.now();
    const cpu = process.cpuUsage();
    await extension.activate();
    const took = performance.now() - started;
    const { user, system } = process.cpuUsage(cpu);
    assert.equal(extension.isActive, true);
    console.log(
      early
        ? '# active before the suite'
        : `# activated in ${took.toFixed(1)} ms, ${((user + system) / 1000).toFixed(1)} ms of them computing`,
    );
  });

  it('is not repeated', async () => {
    const { extension } = theExtension();
    const first: unknown = await extension.activate();
    assert.equal(await extension.activate(), first);
  });
});
