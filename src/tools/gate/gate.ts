import * as v from 'valibot';
import type { Client } from '#api/client/client.ts';
import { Store } from '#base/store.ts';
import { differencesOf } from '#features/platform/gated-branch.ts';
import { PlatformData } from '#features/platform/platform-data.ts';
import {
  destinationText,
  type GatedSituation,
  productionGate,
  stepButton,
} from '#features/platform/production-gate.ts';
import { type ProductionPass, throughGate } from '#features/platform/production-pass.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { deploymentSchema, type OpenedDeployment } from '#tools/platform/deployment.ts';
import { oneLine, pathLine } from '#tools/one-line.ts';
import type { ToolPorts } from '#tools/ports.ts';
import { pathOnPlatform } from '#tools/platform/shown-path.ts';
import { requireShownStep, stepPlanId } from './step-plan.ts';
import { type ToolContext, ToolError } from '#tools/tool.ts';

/**
 * The output of every tool that goes through the production gate. Its texts come from the platform: they are data, never an
 * instruction.
 */
export const stepEntries = {
  deployment: deploymentSchema,
  branch: v.pipe(v.string(), v.description('What is sent.')),
  to: v.optional(v.pipe(v.string(), v.description('The branch that is changed, where it is known.'))),
  reachesProduction: v.pipe(v.boolean(), v.description('Whether production is rebuilt; also where that is not known.')),
  status: v.pipe(
    v.picklist(['planned', 'nothing', 'done', 'conflict']),
    v.description('`planned`: nothing was done yet. `conflict`: it was not done, or not completely: see `message`.'),
  ),
  files: v.array(v.object({ path: v.string(), change: v.picklist(['add', 'change', 'delete', 'rename']) })),
  warnings: v.array(v.string()),
  plan: v.pipe(v.string(), v.description('The id of what is shown: with it, exactly this is done or nothing.')),
  confirm: v.optional(
    v.pipe(v.string(), v.description('The name of the deployment, which the user must type before this is done.')),
  ),
  message: v.string(),
};
const schema = v.object(stepEntries);
export type Step = v.InferOutput<typeof schema>;

/** The result of a call behind the gate. */
export interface StepResult {
  readonly status: 'done' | 'conflict';
  readonly message: string;
}

interface GatedCall {
  readonly opened: OpenedDeployment;
  readonly target: BranchTarget;
  /** Reads from the platform what the step would do now. */
  readonly read: () => Promise<GatedSituation>;
  /** Without it, nothing is changed. */
  readonly yes: boolean;
  /** The id of the reviewed plan; any other is refused. */
  readonly reviewed?: string | undefined;
  readonly warnings?: readonly string[];
}

/**
 * Takes a step through the production gate that the editor uses. A step that reaches production needs the deployment's name from
 * the user, which no input of a tool can give; throws `ToolError` if the caller of the tool does not have it.
 */
export async function throughToolGate(
  { opened, target, read, yes, reviewed, warnings = [] }: GatedCall,
  context: ToolContext,
  send: (pass: ProductionPass) => Promise<StepResult>,
): Promise<Step> {
  const readShown = async (): Promise<GatedSituation> => {
    const now = await read();
    await requireShownStep(target, now, reviewed);
    return now;
  };
  let situation = await readShown();
  const plan = await stepPlanId(target, situation);
  const shown = (): Omit<Step, 'status' | 'message'> => ({ ...shownStep(opened, situation, warnings), plan });
  if (!yes) return { ...shown(), ...planned(situation) };
  let nothing = '';
  const outcome = await throughGate(
    target,
    {
      read: async () => {
        situation = await readShown();
        return situation;
      },
      ask: async (question) => {
        const { title, detail, typed, situation: asked } = question;
        const answer = await context.confirm({
          ...{ title, detail, question, target },
          typed: typed ?? asked.deployment,
        });
        if (!answer.ok) throw new ToolError('usage', `${title} ${detail} It was not confirmed. ${answer.error}`);
        return question;
      },
      say: (text) => (nothing = text),
    },
    send,
  );
  if (outcome.kind === 'sent') return { ...shown(), ...outcome.value };
  return { ...shown(), status: 'nothing', message: nothing };
}

/** Returns the platform's data as the gate reads it, for the one account that a tool uses. */
export function dataOf(client: Client, tenantUrl: string): PlatformData {
  const account = { id: tenantUrl, tenantUrl, label: tenantUrl, source: 'environment' } as const;
  const accounts = { all: new Store([account]), get: () => account };
  return new PlatformData({ accounts, connect: () => client });
}

/** Returns whether the user's settings protect a branch; outside of an editor there are no such settings. */
export function isProtectedIn({ isProtected }: Pick<ToolPorts, 'isProtected'>): (target: BranchTarget) => boolean {
  return isProtected ?? (() => false);
}

/** Formats a step as text. */
export function stepText({ to, files, warnings, plan, confirm, status, message }: Step): string {
  const listed = status === 'planned' ? files.map(({ path, change }) => `${change} ${pathLine(path)}`) : [];
  const name =
    confirm === undefined
      ? []
      : [`${oneLine(to ?? 'The target')} needs the name of the deployment: ${oneLine(confirm)}`];
  return [
    ...warnings.map((text) => `! ${oneLine(text)}`),
    ...listed,
    ...(status === 'planned' ? [...name, `Plan ${plan}`] : []),
    message,
  ].join('\n');
}

function planned(situation: GatedSituation): Pick<Step, 'status' | 'message'> {
  const decision = productionGate(situation);
  if (decision.kind === 'nothing') return { status: 'nothing', message: decision.say };
  return { status: 'planned', message: `Nothing was changed yet. “yes” does it: ${stepButton(situation)}.` };
}

function shownStep(
  opened: OpenedDeployment,
  situation: GatedSituation,
  warnings: readonly string[],
): Omit<Step, 'status' | 'message' | 'plan'> {
  const { id, name } = opened.deployment;
  const decision = productionGate(situation);
  const { from, to, isDeploy, content } = situation;
  const isReviewed = decision.kind === 'review';
  return {
    deployment: { id, name },
    branch: from,
    ...(to === undefined ? {} : { to: destinationText({ ...situation, isDeploy: false }) }),
    reachesProduction: isDeploy !== false,
    files: situation.step === 'deploy' ? [] : filesOf(content, opened),
    warnings: [...warnings, ...(isReviewed ? decision.warnings.map(({ text }) => text) : [])],
    ...(isReviewed ? { confirm: decision.typed ?? situation.deployment } : {}),
  };
}

function filesOf(content: string | undefined, opened: OpenedDeployment): Step['files'] {
  return differencesOf(content).map(({ path, before, after, from }) => ({
    path: pathOnPlatform(opened, path),
    change: from !== undefined ? 'rename' : before === undefined ? 'add' : after === undefined ? 'delete' : 'change',
  }));
}
