import {
  runTransfer,
  comparePlan,
  type ComparisonPorts,
  isNothing,
  type SyncSession,
} from '#features/folders/index.ts';
import {
  deploymentOnly,
  gateQuestion,
  type GatedSituation,
  type GateQuestion,
  type LinkedFolder,
  type PlatformData,
  type ProductionPass,
  readBranchWrite,
  type Session,
  throughGate,
} from '#features/platform/index.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import { DisposableStore } from '#base/disposable.ts';
import { isEqual } from '#base/equal.ts';
import { UserError } from '#shell/user-error.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';
import type { Plan } from '#sync/core/planning/plan.ts';
import type { ConfirmedDeploy } from './confirmed-deploy.ts';
import { DeployForm } from './deploy-form.ts';
import { asShown, deployGuards, deployTargetOf } from './deploy-target.ts';
import { deployPlan } from './deploy.ts';
import type { MessageDrafts } from './message-drafts.ts';

/** The reports of a deploy. */
export interface DeployHost {
  /** Shows a hint: the gate found nothing to deploy. */
  readonly say: (text: string) => void;
  /** Called when the upload has ended; production has changed if anything was applied. */
  readonly ended: (target: BranchTarget, outcome: SyncOutcome) => void;
}

/** The dependencies of {@link DeployStep}. */
export interface DeployPorts {
  readonly data: PlatformData;
  readonly session: Session;
  readonly isProtected: (branch: BranchTarget) => boolean;
  readonly comparison: ComparisonPorts;
  /** Messages of deploys that did not succeed, in this window. */
  readonly drafts: MessageDrafts;
  readonly host: DeployHost;
}

/** The user's confirmation on the page. */
interface Confirmed {
  readonly shown: Plan;
  readonly selection: ReadonlySet<string>;
  readonly input: ReviewInput;
  readonly form: DeployForm;
}

/** The deploy of one folder: a plan that is reviewed and confirmed on its page, then one upload. */
export class DeployStep {
  readonly #ports: DeployPorts;
  readonly #session: SyncSession;
  readonly #access: ConfirmedDeploy;

  /** `session`: of the folder with the deploy branch, which only `access` opens for writing. */
  constructor(ports: DeployPorts, session: SyncSession, access: ConfirmedDeploy) {
    this.#ports = ports;
    this.#session = session;
    this.#access = access;
  }

  /**
   * Compares both sides and shows the plan. Resolves to `open` if the plan waits for the user; `release` is called when it is
   * closed. `matches`: production matches the folder. `ended`: the comparison or the step was cancelled.
   */
  async plan(release: () => void): Promise<'open' | 'matches' | 'ended'> {
    const { comparison, drafts } = this.#ports;
    const { plan } = comparison;
    const session = this.#session;
    const compared = await comparePlan(comparison, session, 'deploy');
    if (!compared) return 'ended';
    const made = deployPlan(compared);
    if (isNothing(made)) {
      plan.close();
      return 'matches';
    }
    const question = gateQuestion(await this.#read(compared, made.ticked));
    if (!question) return 'ended';
    const form = new DeployForm(question, drafts.of('deploy', session.target) ?? `Deploy ${session.folder.name}`);
    const following = this.#closeWithLink();
    plan.showDeploy(session, compared, {
      planOf: deployPlan,
      form: form.fields,
      keep: (message) => drafts.keep('deploy', session.target, message),
      apply: async (shown, selection, input) => this.#apply({ shown, selection, input, form }),
      release: () => {
        following.dispose();
        release();
      },
    });
    plan.reveal();
    return 'open';
  }

  /** Closes the plan when the folder is linked elsewhere, or its account is signed out: it shows what that account sees. */
  #closeWithLink(): DisposableStore {
    const { comparison, data, session } = this.#ports;
    const following = new DisposableStore();
    const check = (): void => {
      const isOpen = comparison.plan.open.value?.session === this.#session;
      if (isOpen && !this.#isLinked()) comparison.plan.close();
    };
    for (const source of [session.links.onDidChange, session.onDidBind, data.onDidChange]) following.add(source(check));
    return following;
  }

  /** Whether the folder still belongs to the deployment that the plan is for. */
  #isLinked(): boolean {
    const now = this.#ports.session.targetOf(this.#folder);
    return now !== undefined && isEqual(deploymentOnly(now), deploymentOnly(this.#session.target));
  }

  /** The folder with the link that it has now. */
  get #folder(): LinkedFolder {
    const { folder } = this.#session;
    return this.#ports.session.folder(folder.folderId) ?? folder;
  }

  /** Uploads what was confirmed on the page; resolves to whether the plan is spent. */
  async #apply(confirmed: Confirmed): Promise<boolean> {
    const { shown, selection, input, form } = confirmed;
    const { comparison, drafts, host } = this.#ports;
    const { target } = this.#session;
    // Throws for guards that cannot be confirmed; the others are warnings on the page.
    deployGuards(shown);
    let latest: Plan | undefined;
    const read = async (): Promise<GatedSituation> => {
      latest = latest ? await asShown(comparison, this.#session, shown, selection) : shown;
      return this.#read(latest, selection);
    };
    const ask = (question: GateQuestion): Promise<GateQuestion | undefined> =>
      Promise.resolve(form.answers(question, input) ? question : undefined);
    const outcome = await throughGate(target, { read, ask, say: host.say }, async (pass) =>
      this.#upload({ ...confirmed, shown: latest ?? shown }, pass),
    );
    if (outcome.kind !== 'sent' || !outcome.value) return false;
    drafts.forget('deploy', target);
    return true;
  }

  /** Reads the current destination and content of the deploy. */
  async #read(plan: Plan, selection: ReadonlySet<string>): Promise<GatedSituation> {
    const { folder, target } = this.#session;
    const { session } = this.#ports;
    if (session.targetOf(this.#folder) && !this.#isLinked()) {
      throw new UserError(
        `“${folder.name}” is linked to another deployment now, so nothing was deployed. Close this page and deploy again.`,
      );
    }
    const now = await deployTargetOf(this.#ports, this.#folder);
    if (now.target.branchName !== target.branchName) {
      throw new UserError(
        `Production is now built from “${now.target.branchName}”, so nothing was deployed. Close this page and deploy again.`,
      );
    }
    const content = JSON.stringify(plan.entries.filter(({ path }) => selection.has(path)));
    const write = { step: 'deploy', target, from: folder.name, to: now.branch, isDeploy: true, content } as const;
    return readBranchWrite(this.#ports, write);
  }

  async #upload({ shown, selection, input }: Confirmed, pass: ProductionPass): Promise<boolean> {
    const { comparison, data, host } = this.#ports;
    const { target } = this.#session;
    const message = input.message.trim();
    const outcome = await this.#access.during(pass, target, async () =>
      runTransfer(comparison, this.#session, {
        direction: 'push',
        plan: shown,
        selection,
        guards: deployGuards(shown),
        label: `Deploying to ${data.nameOf(target)}`,
        message: message === '' ? undefined : message,
      }),
    );
    host.ended(target, outcome);
    return outcome.status !== 'cancelled';
  }
}
