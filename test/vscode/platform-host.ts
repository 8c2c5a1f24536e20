// The platforms of all suites, as one process: a message of its parent starts or stops one, and it ends with its parent.
import { createPlatform, type Platform } from '#platform/app.ts';
import { createEngine } from '#platform/engine/index.ts';
import { readModes } from '#platform/modes/modes.ts';
import { type Served, serve } from '#platform/serve.ts';

/** What the suites ask for; `id` names one platform. */
export type PlatformRequest =
  | { readonly kind: 'start'; readonly id: number; readonly modes: string }
  | { readonly kind: 'stop'; readonly id: number };

/** The answer to a start. */
export type PlatformAnswer =
  | { readonly id: number; readonly served: Served }
  | { readonly id: number; readonly error: string };

// A platform would start a compiler of its own, which is most of what its start costs.
const engine = createEngine();
const platforms = new Map<number, Promise<Platform>>();

process.on('message', (message) => void answer(message as PlatformRequest));
process.once('disconnect', () => {
  void Promise.allSettled([...platforms.keys()].map(stop))
    .then(async () => engine.close())
    .finally(() => process.exit());
});

async function answer(request: PlatformRequest): Promise<void> {
  const { id } = request;
  switch (request.kind) {
    case 'start':
      return void process.send?.(
        await start(id, request.modes).catch((error: unknown) => ({ id, error: String(error) })),
      );
    case 'stop':
      return stop(id);
  }
}

async function start(id: number, modes: string): Promise<PlatformAnswer> {
  const starting = createPlatform({ faults: true, modes: readModes(modes), engine });
  platforms.set(id, starting);
  return { id, served: await serve(await starting) };
}

async function stop(id: number): Promise<void> {
  const platform = await platforms.get(id);
  platforms.delete(id);
  await platform?.close();
}
