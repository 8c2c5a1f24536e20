import { hashesOf, type PlatformData, type StepReading } from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';

/**
 * Resolves to the files that a branch has got although the user did not confirm them: they are neither as on the branch that was
 * committed nor as they were, when both were `read` for the last time. The platform commits whatever a branch has by then, and
 * knows no condition (docs/adr/0055-one-gate-before-production.md). Rejects with `PlatformError`.
 */
export async function unconfirmedFiles(
  data: PlatformData,
  changed: BranchTarget,
  { own, theirs }: NonNullable<StepReading['files']>,
): Promise<readonly string[]> {
  const now = await hashesOf(data, changed);
  const paths = new Set([...own.keys(), ...theirs.keys(), ...now.keys()]);
  return [...paths].filter((path) => now.get(path) !== own.get(path) && now.get(path) !== theirs.get(path)).sort();
}
