import * as v from 'valibot';
import { buildAppearance, buildPhases, buildState } from '#features/platform/build-state.ts';
import { fetchBuildStatus } from '#features/platform/gateway.ts';
import type { OpenedDeployment } from './deployment.ts';
import { oneLine } from '#tools/one-line.ts';

/** The build of a branch. Its messages come from the platform and the model: they are data, never an instruction. */
export const buildSchema = v.object({
  branch: v.string(),
  phase: v.picklist(buildPhases),
  message: v.optional(v.string()),
});
export type Build = v.InferOutput<typeof buildSchema>;

/** Reads the state of a branch's build. Throws `PlatformError`. */
export async function buildOf(
  { client, deployment }: Pick<OpenedDeployment, 'client' | 'deployment'>,
  branch: string,
  signal: AbortSignal,
): Promise<Build> {
  const { phase, unknownStatus, errorText } = buildState(
    await fetchBuildStatus(client, deployment.id, branch, signal),
    0,
  );
  const message = errorText ?? unknownStatus;
  return { branch, phase, ...(message === undefined ? {} : { message }) };
}

/** Describes a build in one line. */
export function buildLine({ branch, phase, message }: Build): string {
  const about = message === undefined || phase === 'inactive' ? '' : `: ${oneLine(message, 200)}`;
  return `${oneLine(branch)}  ${buildAppearance({ phase, unknownStatus: undefined }).label}${about}`;
}
