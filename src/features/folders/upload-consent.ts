import { own } from '#base/own.ts';
import * as v from 'valibot';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import { deploymentKey, type DeploymentTarget } from '#shell/targets.ts';
import type { PlatformData } from '#features/platform/index.ts';
import type { StateStore } from '#shell/ports.ts';
import type { SyncSession, SyncSessions } from './sync-sessions.ts';

const stateKey = 'uploadConsent';
const stateSchema = v.array(v.string());

/**
 * The reason why an upload is risky: uploads and pushes to a connected repository overwrite each other. The platform may not
 * report how a deployment was created (docs/platform-api.md#deployments lists no such field), so an unknown source is a risk of
 * its own.
 */
export type UploadRisk = { readonly kind: 'connected'; readonly provider: string } | { readonly kind: 'unknown' };

/**
 * Deployments whose uploads need the user's consent, because a Git provider feeds them or may feed them. The user is asked once
 * for each deployment.
 */
export class UploadConsent implements Disposable {
  readonly #data: PlatformData;
  readonly #userState: StateStore;
  readonly #changed = new Emitter<void>();
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor({ data, userState }: { readonly data: PlatformData; readonly userState: StateStore }) {
    this.#data = data;
    this.#userState = userState;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /**
   * Returns the risk to warn about before an upload; `undefined` if there is none, the user accepted it, or the list is not
   * loaded.
   */
  missing(target: DeploymentTarget): UploadRisk | undefined {
    const list = this.#data.knownDeployments(target.accountId);
    const deployment = list?.find(({ id }) => id === target.deploymentId);
    const risk = deployment && riskOf(deployment.creationMethod);
    return risk === undefined || this.#accepted().includes(deploymentKey(target)) ? undefined : risk;
  }

  /** Resolves to whether uploads may continue. Asks if the consent is missing, once for uploads that ask at the same time. */
  async obtain(target: DeploymentTarget, ask: (risk: UploadRisk) => Promise<boolean>): Promise<boolean> {
    const risk = this.missing(target);
    if (risk === undefined) return true;
    const key = deploymentKey(target);
    const asking =
      this.#asking.get(key) ??
      ask(risk)
        .then(async (agreed) => {
          if (agreed) await this.accept(target);
          return agreed;
        })
        .finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async accept(target: DeploymentTarget): Promise<void> {
    await this.#userState.set(stateKey, [...new Set([...this.#accepted(), deploymentKey(target)])]);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #accepted(): readonly string[] {
    this.#changed.track();
    const parsed = v.safeParse(stateSchema, this.#userState.get(stateKey));
    return parsed.success ? parsed.output : [];
  }
}

const fedByGit: Readonly<Record<string, string>> = { github: 'GitHub', ssh: 'a Git repository' };
const fedByUploads: readonly string[] = ['upload', 'cubecloud'];

function riskOf(creationMethod: string | undefined): UploadRisk | undefined {
  const provider = own(fedByGit, creationMethod ?? '');
  if (provider !== undefined) return { kind: 'connected', provider };
  return fedByUploads.includes(creationMethod ?? '') ? undefined : { kind: 'unknown' };
}

/** The facts that decide whether uploads are held back. */
export interface HoldFacts {
  readonly syncs: Pick<SyncSessions, 'all' | 'onDidChange'>;
  readonly consent: UploadConsent;
  readonly data: Pick<PlatformData, 'onDidChange'>;
  /** Whether saved files of a folder would be pushed automatically. */
  readonly pushes: (session: SyncSession) => boolean;
  readonly onDidChangePushes: Event<void>;
}

/**
 * Pauses folders whose saved files would be pushed automatically although the consent for their deployment is missing. Other
 * folders are not paused: they upload only in a push, which asks for the consent itself.
 */
export function holdUploads({ syncs, consent, data, pushes, onDidChangePushes }: HoldFacts): Disposable {
  const owned = new DisposableStore();
  const held = new WeakSet<object>();
  const update = (): void => {
    for (const session of syncs.all.value) {
      const { sync, target } = session;
      const wanted = pushes(session) && consent.missing(target) !== undefined;
      if (wanted === held.has(sync)) continue;
      if (wanted) {
        held.add(sync);
        sync.pause('gitProvider');
      } else {
        held.delete(sync);
        sync.resume('gitProvider');
      }
    }
  };
  const sources = [syncs.all.onDidChange, consent.onDidChange, data.onDidChange, onDidChangePushes];
  for (const onDidChange of sources) owned.add(onDidChange(update));
  update();
  return owned;
}
