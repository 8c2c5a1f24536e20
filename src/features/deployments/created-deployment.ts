import type { ChangeOutcome } from '#api/client/client.ts';
import { createDeployment } from '#api/resources/deployments.ts';
import type { RequestOf } from '#api/operation.ts';
import type { PlatformData } from '#features/platform/index.ts';

/**
 * Creates a deployment and resolves to its id. If the platform returns no more than “2xx”
 * (docs/platform-api.md#createdeployment), finds the new deployment by its name in the list. `undefined`: it was created, but the
 * list does not show which one it is.
 */
export async function createdDeployment(
  data: PlatformData,
  accountId: string,
  body: RequestOf<typeof createDeployment>['body'],
): Promise<string | undefined> {
  const list = data.deployments(accountId);
  const before = new Set((await list.get()).map(({ id }) => id));
  const newOnes = async (): Promise<readonly string[]> => {
    await list.invalidate();
    return (list.value ?? []).filter((each) => !before.has(each.id) && each.name === body.name).map(({ id }) => id);
  };
  const checkOutcome = async (): Promise<ChangeOutcome> => ({
    kind: (await newOnes()).length > 0 ? 'done' : 'notDone',
  });
  const { id } = await data.client(accountId).call(createDeployment, { body }, { checkOutcome });
  const created = await newOnes();
  return id ?? (created.length === 1 ? created[0] : undefined);
}
