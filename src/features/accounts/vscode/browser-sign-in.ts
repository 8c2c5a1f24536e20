import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import type { DeviceCode } from '#api/resources/device-sign-in.ts';
import { CancelledError } from '#base/async.ts';
import { DisposableStore } from '#base/disposable.ts';
import { type Account, hostOf } from '#features/accounts/accounts.ts';
import { signInByDevice } from '#features/accounts/device-sign-in.ts';
import { deviceAddress } from '#shell/addresses.ts';
import { openAddress } from '#shell/vscode/guarded/open-address.ts';
import type { AccountPorts } from '#features/accounts/new-key.ts';

/** Shows a code to enter in a browser and waits until the user is done there (RFC 8628). */
export async function signInWithBrowser({ accounts, connectWith }: AccountPorts, tenantUrl: string): Promise<Account> {
  const controller = new AbortController();
  const waiting = waitingForCode(tenantUrl, () => controller.abort(new CancelledError()));
  try {
    const { signal } = controller;
    return await signInByDevice({ accounts, connectWith, showCode: waiting.show, signal }, tenantUrl);
  } finally {
    waiting.dispose();
  }
}

interface Step extends vscode.QuickPickItem {
  readonly run: () => Thenable<unknown>;
}

/** Shows a quick pick rather than a notification: it closes when the user is done, and Escape cancels. */
function waitingForCode(
  tenantUrl: string,
  giveUp: () => void,
): { readonly show: (code: DeviceCode) => void; dispose(): void } {
  const owned = new DisposableStore();
  const pick = owned.add(vscode.window.createQuickPick<Step>());
  pick.title = text`Sign In to ${hostOf(tenantUrl)}`;
  pick.placeholder = text`Asking for a code…`;
  pick.busy = true;
  pick.ignoreFocusOut = true;
  owned.add(pick.onDidHide(giveUp));
  owned.add(pick.onDidAccept(() => void pick.selectedItems[0]?.run()));
  pick.show();
  return {
    show: (code) => {
      pick.placeholder = text`Your code is ${code.userCode}. Waiting until you enter it in a browser…`;
      pick.items = steps(code, tenantUrl);
    },
    dispose: () => owned.dispose(),
  };
}

function steps(code: DeviceCode, tenantUrl: string): readonly Step[] {
  const { clipboard } = vscode.env;
  const { userCode } = code;
  const address = deviceAddress(code);
  const open = async (): Promise<void> => {
    await clipboard.writeText(userCode);
    await openAddress(address, tenantUrl);
  };
  return [
    { label: text`$(globe) Copy Code and Open Browser`, detail: textOf(address), alwaysShow: true, run: open },
    {
      label: text`$(copy) Copy Code`,
      description: textOf(userCode),
      alwaysShow: true,
      run: () => clipboard.writeText(userCode),
    },
    {
      label: text`$(link) Copy Link`,
      description: textOf(address),
      alwaysShow: true,
      run: () => clipboard.writeText(address),
    },
  ];
}
