import { listBranches } from '#api/resources/branches.ts';
import { getFileHashes, listDataModelFiles, validateDataModel } from '#api/resources/data-model.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import type { Platform, PlatformOptions } from '#platform/app.ts';
import type { FaultInput } from '#platform/faults.ts';
import { demo } from '#platform/seed/names.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { openPlatform, toRequest } from '#support/platform.ts';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const params = { deploymentId: demo.shop };
const chatPath = `/api/v1/public/${demo.account}/agents/${demo.agentId}/chat/stream-chat-state`;

/** Requests that are still at work in the database, in Git, in the engine or in the warehouse when the platform closes. */
const requests: Readonly<Record<string, (platform: Platform) => Request>> = {
  'lists branches': (platform) => toRequest(platform, listBranches, { params }),
  'hashes files': (platform) => toRequest(platform, getFileHashes, { params, query: { branchName: 'main' } }),
  'reads files': (platform) =>
    toRequest(platform, listDataModelFiles, { params, query: { branchName: 'main', withContent: true } }),
  'compiles a model': (platform) => toRequest(platform, validateDataModel, { params, query: { branchName: 'main' } }),
  'answers in the chat': (platform) =>
    new Request(`http://platform.test${chatPath}`, {
      method: 'POST',
      headers: { Authorization: `Api-Key ${platform.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ input: 'How many orders?', sessionSettings: { externalId: 'mia' } }),
    }),
};

const waits: readonly FaultInput[] = [{ kind: 'hang' }, { kind: 'latency', ms: 60_000 }];

/** What the platform prints for its operator. */
function printed(): readonly string[] {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  return lines;
}

/** Sends a request again and again, each after another number of steps before the platform closes. */
async function closeDuring(request: (platform: Platform) => Request, options: PlatformOptions): Promise<void> {
  for (const steps of [0, 5, 25]) {
    const platform = await openPlatform(options);
    const { url } = await platform.listen();
    const inMemory = platform.fetch(request(platform));
    const { pathname, search } = new URL(request(platform).url);
    const overLoopback = fetch(new Request(`${url}${pathname}${search}`, request(platform)));
    const ended = Promise.allSettled([inMemory, overLoopback]);
    for (let step = 0; step < steps; step++) await new Promise(setImmediate);
    await platform.close();
    expect(platform.control.requestsUnderway).toEqual([]);
    const [answered] = await ended;
    expect(answered.status === 'rejected' || answered.value.ok).toBe(true);
  }
}

describe('a platform that is closed', () => {
  it.each(Object.entries(requests))('ends a request first that %s, and prints nothing', async (_, request) => {
    const lines = printed();
    await closeDuring(request, {});
    expect(lines).toEqual([]);
  });

  it.each(waits)('does not wait for a request that itself waits: $kind', async (fault) => {
    const lines = printed();
    const platform = await openPlatform({ faults: true, clock: new ManualClock() });
    platform.control.faults([fault]);
    const waiting = platform.fetch(toRequest(platform, listDeployments));
    await Promise.all([platform.close(), expect(waiting).rejects.toThrow('the platform is closed')]);
    expect(lines).toEqual([]);
  });

  it('takes no further request', async () => {
    const lines = printed();
    const platform = await openPlatform();
    await platform.close();
    await expect(platform.fetch(toRequest(platform, listDeployments))).rejects.toThrow('the platform is closed');
    expect(lines).toEqual([]);
  });

  it('ends an answer of the agent that is half written', async () => {
    const lines = printed();
    // The agent waits for the clock between two words, and nobody moves the clock.
    const platform = await openPlatform({ clock: new ManualClock(), chatDelayMs: 1000 });
    const response = await platform.fetch(requests['answers in the chat']?.(platform) as Request);
    const [text] = await Promise.all([response.text(), platform.close()]);
    expect(text).toContain('__aborted__');
    expect(lines).toEqual([]);
  });
});
