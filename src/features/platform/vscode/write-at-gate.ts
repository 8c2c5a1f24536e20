import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';
import { type BranchWrite, readBranchWrite } from '#features/platform/gated-branch.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import { type GateOutcome, type ProductionPass, throughGate } from '#features/platform/production-pass.ts';
import { confirm, isProtected } from '#shell/vscode/protection.ts';

/** Takes a write to a branch through the production gate; `detail` describes what is written. */
export async function writeAtGate<T>(
  deps: { readonly data: PlatformData },
  { detail, ...write }: BranchWrite & { readonly to: string; readonly detail: string },
  send: (pass: ProductionPass) => Promise<T>,
): Promise<GateOutcome<T>> {
  const { accountId, deploymentId } = write.target;
  return throughGate(
    { accountId, deploymentId, branchName: write.to },
    {
      read: async () => readBranchWrite({ data: deps.data, isProtected: (target) => isProtected(deps, target) }, write),
      ask: async (question) => {
        const { title, button, typed } = question;
        const isYes = await confirm({ title, detail: `${detail} ${question.detail}`, button, typed });
        return isYes ? question : undefined;
      },
      say: (hint) => void vscode.window.showInformationMessage(textOf(hint)),
    },
    send,
  );
}
