import type { AccountClients } from '#api/client/client.ts';
import { plural } from '#base/words.ts';
import { validateBranch } from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';

/** The platform's validation result of a branch’s data model (docs/platform-api.md#validatedatamodel, optional). */
export interface ModelVerdict {
  readonly valid: boolean;
  readonly cubes: number | undefined;
  readonly errors: number;
  /** All errors in the format of a failed build, so that they are parsed and located the same way. */
  readonly errorText: string;
}

/** Asks the platform to compile a branch without building it. */
export async function validateModel(
  { data }: { readonly data: AccountClients },
  target: BranchTarget,
  signal?: AbortSignal,
): Promise<ModelVerdict> {
  const { valid, cubesCount, errors } = await validateBranch(data.client(target.accountId), target, signal);
  return { valid, cubes: cubesCount, errors: errors.length, errorText: errorTextOf(errors) };
}

/** Returns the result as a sentence for the user. */
export function verdictText({ valid, cubes, errors }: ModelVerdict, branchName: string): string {
  const counted = cubes === undefined ? '' : `: ${plural(cubes, 'cube')}`;
  if (valid) return `The data model of “${branchName}” is valid${counted}`;
  return `The data model of “${branchName}” has ${errors === 0 ? 'errors that the platform did not name' : plural(errors, 'error')}`;
}

function errorTextOf(errors: readonly { readonly fileName?: string | undefined; readonly message: string }[]): string {
  const groups = Map.groupBy(errors, ({ fileName }) => fileName ?? '');
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .flatMap(([fileName, own]) => [
      ...(fileName === '' ? [] : [`${fileName} Errors:`]),
      // Indent the further lines of a message, so that they stay part of it.
      ...own.map(({ message }) => message.replaceAll(/\r?\n/g, '\n  ')),
    ])
    .join('\n');
}
