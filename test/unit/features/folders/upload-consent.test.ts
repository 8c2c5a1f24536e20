import { describe, expect, it } from 'vitest';
import { Emitter } from '#base/event.ts';
import { Store } from '#base/store.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { holdUploads, UploadConsent } from '#features/folders/upload-consent.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';

interface Scene extends Desk {
  readonly consent: UploadConsent;
  readonly userState: MemoryState;
  /** The demo deployment that is connected to GitHub, and one that is not. */
  readonly connected: { readonly accountId: string; readonly deploymentId: string };
  readonly plain: { readonly accountId: string; readonly deploymentId: string };
}

async function scene(): Promise<Scene> {
  const desk = await openDesk();
  const userState = new MemoryState();
  const of = (deploymentId: string): Scene['plain'] => ({ accountId: desk.account.id, deploymentId });
  return {
    ...desk,
    userState,
    consent: new UploadConsent({ data: desk.data, userState }),
    connected: of(String(desk.platform.control.demo.connected)),
    plain: of('1'),
  };
}

/** A sync that only notes why it is held back. */
function openSync(target: Scene['plain']): { readonly paused: Set<string>; readonly session: SyncSession } {
  const paused = new Set<string>();
  const sync = { pause: (reason: string) => paused.add(reason), resume: (reason: string) => paused.delete(reason) };
  const session = { target: { ...target, branchName: 'dev-ada-1' }, sync } as unknown as SyncSession;
  return { paused, session };
}

describe('uploads to a deployment that is connected to a Git provider', () => {
  it('need a consent, which is remembered for that deployment', async () => {
    const { consent, data, account, userState, connected, plain } = await scene();
    expect(consent.missing(connected)).toBeUndefined();
    await data.deployments(account.id).get();
    expect(consent.missing(connected)).toEqual({ kind: 'connected', provider: 'GitHub' });
    expect(consent.missing(plain)).toBeUndefined();
    await consent.accept(connected);
    expect(consent.missing(connected)).toBeUndefined();
    expect(new UploadConsent({ data, userState }).missing(connected)).toBeUndefined();
  });

  it('are held back until then, and continue automatically afterwards', async () => {
    const { consent, data, account, connected, plain } = await scene();
    const [held, free] = [openSync(connected), openSync(plain)];
    const all = new Store<readonly SyncSession[]>([]);
    const syncs = { all, onDidChange: new Emitter<SyncSession | undefined>().event };
    const changed = new Emitter<void>();
    const hold = holdUploads({ syncs, consent, data, pushes: () => true, onDidChangePushes: changed.event });
    all.set([held.session, free.session]);
    await data.deployments(account.id).get();
    expect([[...held.paused], [...free.paused]]).toEqual([['gitProvider'], []]);
    await consent.accept(connected);
    expect([...held.paused]).toEqual([]);
    hold.dispose();
  });

  it('are not held back where nothing is pushed automatically, and are once it is', async () => {
    const { consent, data, account, connected } = await scene();
    await data.deployments(account.id).get();
    const { session, paused } = openSync(connected);
    const syncs = { all: new Store([session]), onDidChange: new Emitter<SyncSession | undefined>().event };
    const changed = new Emitter<void>();
    let pushes = false;
    holdUploads({ syncs, consent, data, pushes: () => pushes, onDidChangePushes: changed.event });
    expect([...paused]).toEqual([]);
    pushes = true;
    changed.fire();
    expect([...paused]).toEqual(['gitProvider']);
    pushes = false;
    changed.fire();
    expect([...paused]).toEqual([]);
  });

  it('ask once when several of them start at the same time, and again after a refusal', async () => {
    const { consent, data, account, connected, plain } = await scene();
    await data.deployments(account.id).get();
    const asked: string[] = [];
    const answer = (agreed: boolean) => async (risk: { readonly kind: string }) => {
      asked.push(risk.kind);
      return Promise.resolve(agreed);
    };
    const both = [consent.obtain(connected, answer(false)), consent.obtain(connected, answer(true))];
    expect([await Promise.all(both), asked]).toEqual([[false, false], ['connected']]);
    expect(await consent.obtain(connected, answer(true))).toBe(true);
    expect(await consent.obtain(connected, answer(false))).toBe(true);
    expect(await consent.obtain(plain, answer(false))).toBe(true);
    expect(asked).toEqual(['connected', 'connected']);
  });

  it.each([undefined, 'teleport'])('need a consent where the creation method is %s', async (creationMethod) => {
    const deployments = [{ id: '1', name: 'Shop', creationMethod }];
    const data = { knownDeployments: () => deployments } as unknown as PlatformData;
    const consent = new UploadConsent({ data, userState: new MemoryState() });
    const target = { accountId: 'a', deploymentId: '1' };
    expect(consent.missing(target)).toEqual({ kind: 'unknown' });
    await consent.accept(target);
    expect(consent.missing(target)).toBeUndefined();
  });

  it('take a damaged memory for none', async () => {
    const { consent, data, account, userState, connected } = await scene();
    await data.deployments(account.id).get();
    userState.values.set('uploadConsent', '{"all":true}');
    expect(consent.missing(connected)).toEqual({ kind: 'connected', provider: 'GitHub' });
  });
});
