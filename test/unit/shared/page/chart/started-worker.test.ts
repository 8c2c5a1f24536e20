// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WorkerEvent } from '#shared/page/chart/chart-worker.ts';
import { startedWorker } from '#shared/page/chart/started-worker.ts';

/** What a page does with its worker, and what the worker does. */
class StandIn extends EventTarget {
  static last: StandIn;
  readonly asked: unknown[] = [];
  isEnded = false;
  readonly address: string;

  constructor(address: string) {
    super();
    this.address = address;
    StandIn.last = this;
  }
  postMessage = (message: unknown): void => void this.asked.push(message);
  terminate = (): void => {
    this.isEnded = true;
  };
  report(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

const addresses = new Set<string>();
let code: Blob | undefined;

beforeEach(() => {
  vi.stubGlobal('Worker', StandIn);
  vi.spyOn(URL, 'createObjectURL').mockImplementation((given) => {
    code = given as Blob;
    addresses.add('blob:chart');
    return 'blob:chart';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void addresses.delete(address));
});
afterEach(() => {
  vi.unstubAllGlobals();
  addresses.clear();
});

describe('startedWorker', () => {
  it('runs the code, hands requests to it, and hears what it reports', async () => {
    const heard: WorkerEvent[] = [];
    const port = startedWorker('draw()', (event) => void heard.push(event));
    expect(await code?.text()).toBe('draw()');
    expect(StandIn.last.address).toBe('blob:chart');
    const request = { spec: '{}', rows: [], config: {}, width: 300 };
    port.send(request);
    expect(StandIn.last.asked).toEqual([request]);
    StandIn.last.report({ kind: 'ready' });
    StandIn.last.report({ kind: 'failed', reason: 'No marks.' });
    expect(heard).toEqual([{ kind: 'ready' }, { kind: 'failed', reason: 'No marks.' }]);
    port.terminate();
    expect(StandIn.last.isEnded).toBe(true);
  });

  it('reports a worker that cannot load its code or runs out of memory as dead', () => {
    const heard: WorkerEvent[] = [];
    startedWorker('', (event) => void heard.push(event));
    StandIn.last.dispatchEvent(new Event('error'));
    expect(heard).toEqual([{ kind: 'died' }]);
  });

  it.each([
    ['has read it', (worker: StandIn) => worker.report({ kind: 'ready' })],
    ['never will', (worker: StandIn) => void worker.dispatchEvent(new Event('error'))],
  ])('keeps the code in memory until the worker %s', (_, happens) => {
    startedWorker('', () => undefined);
    expect([...addresses]).toEqual(['blob:chart']);
    happens(StandIn.last);
    expect([...addresses]).toEqual([]);
  });
});
