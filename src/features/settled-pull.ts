import type { BranchTarget } from '#protocol/targets.ts';
import type { BranchFiles } from './branch-files.ts';
import { type GitResult, pullBranch } from './git-workflow.ts';
import type { PlatformData } from './platform-data.ts';

/** Files of a dev branch that a person has settled against the branch that is pulled. */
export interface SettledFiles {
  readonly parent: string;
  readonly paths: readonly string[];
}

/**
 * Pulls the parent where the person has settled the files that both changed. The platform's Git merges a file without a
 * question only where both sides are alike: the dev branch gets the parent's version for the pull, and what was settled
 * again right after it, whatever came of the pull. Throws `UserError` where somebody else changed a file meanwhile.
 */
export async function pullSettled(
  { data, files }: { readonly data: PlatformData; readonly files: BranchFiles },
  target: BranchTarget,
  { parent, paths }: SettledFiles,
): GitResult {
  const from = { ...target, branchName: parent };
  await Promise.all([files.refresh(from), files.refresh(target)]);
  const [theirs, settled] = await Promise.all([files.tree(from), files.tree(target)]);
  const lent: string[] = [];
  try {
    for (const path of paths) {
      lent.push(path);
      await put(files, target, path, theirs.get(path)?.content);
    }
    return await pullBranch(data, target);
  } finally {
    for (const path of lent) await put(files, target, path, settled.get(path)?.content);
  }
}

async function put(files: BranchFiles, target: BranchTarget, path: string, content: string | undefined): Promise<void> {
  const now = (await files.tree(target)).get(path)?.content;
  if (now === content) return;
  if (content === undefined) await files.remove(target, path);
  else await files.write(target, path, content);
}
