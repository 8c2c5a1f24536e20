import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, type UserText } from '#base/user-text.ts';
import type { PlatformData } from '#features/platform/index.ts';
import type { QueryTarget } from '#features/data/index.ts';
import {
  type Identity,
  identityOfUser,
  platformUsers,
  type SavedIdentities,
  securityContextOf,
} from '#features/playground/identities.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';

interface Choice extends vscode.QuickPickItem {
  readonly choose: () => Promise<Identity | 'yourself' | undefined>;
}

/**
 * Asks which identity queries run as: the user's own, a user of the platform, or a security context. Resolves to `undefined` if
 * the user cancels.
 */
export async function chooseIdentity(
  data: PlatformData,
  target: QueryTarget,
  saved: SavedIdentities,
): Promise<Identity | 'yourself' | undefined> {
  const items: Choice[] = [
    { label: text`$(account) Yourself`, description: text`no security context`, choose: async () => 'yourself' },
    ...saved.all().map((identity) => ({
      label: textOf(identity.name),
      description: textOf(JSON.stringify(identity.securityContext)),
      choose: async () => identity,
    })),
    ...(target.kind === 'environment'
      ? [{ label: text`$(organization) User of the Platform…`, choose: async () => chooseUser(data, target.accountId) }]
      : []),
    { label: text`$(add) Enter Security Context…`, choose: async () => enterContext(saved) },
    ...(saved.all().length > 0
      ? [{ label: text`$(trash) Remove Saved Context…`, choose: async () => removeContext(saved) }]
      : []),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: text`View As`,
    placeHolder: text`Which user should the queries of this playground run as?`,
  });
  return picked?.choose();
}

async function chooseUser(data: PlatformData, accountId: string): Promise<Identity | undefined> {
  const users = platformUsers(data, accountId).then((all) =>
    all.map((user) => {
      const email = user.emails?.[0]?.value;
      return {
        label: textOf(user.displayName ?? user.userName ?? user.id),
        ...(email === undefined ? {} : { description: textOf(email) }),
        user,
      };
    }),
  );
  const picked = await vscode.window.showQuickPick(users, {
    title: text`View As User`,
    placeHolder: text`Their groups and attributes decide what is visible`,
    matchOnDescription: true,
  });
  return picked && identityOfUser(data, accountId, picked.user);
}

async function enterContext(saved: SavedIdentities): Promise<Identity | undefined> {
  const typed = await askChecked({
    title: text`Security Context`,
    prompt: text`The claims that queries run with, as JSON.`,
    placeholder: text`{"user": "ada"}`,
    validate: (value) => {
      const context = securityContextOf(value);
      return context.ok ? undefined : context.error;
    },
  });
  const context = typed === undefined ? undefined : securityContextOf(typed);
  if (!context?.ok) return undefined;
  const name = await vscode.window.showInputBox({
    title: text`Save Security Context`,
    prompt: text`A name to choose it by the next time; empty does not save it.`,
  });
  if (name === undefined) return undefined;
  const identity = { name: name.trim() || nameOf(context.value), securityContext: context.value };
  if (name.trim() !== '') await saved.save(identity);
  return identity;
}

/** The longest name of a security context without a name, which is its JSON; a context can have thousands of claims. */
const longestName = 80;

function nameOf(context: Identity['securityContext']): string {
  const json = JSON.stringify(context);
  return json.length > longestName ? `${json.slice(0, longestName)}…` : json;
}

async function removeContext(saved: SavedIdentities): Promise<undefined> {
  const names: readonly UserText[] = saved.all().map(({ name }) => textOf(name));
  const picked = await vscode.window.showQuickPick(names, { title: text`Remove Saved Context` });
  const at = picked === undefined ? -1 : names.indexOf(picked);
  const identity = saved.all()[at];
  if (identity) await saved.remove(identity.name);
}

/** Asks for another environment or server to compare with. */
export async function chooseOtherTarget(
  all: Promise<readonly { readonly target: QueryTarget; readonly name: string }[]>,
): Promise<{ readonly target: QueryTarget; readonly name: string } | undefined> {
  const items = all.then((targets) => targets.map((each) => ({ label: textOf(each.name), each })));
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Compare With`,
    placeHolder: text`Where should the same query run?`,
  });
  return picked?.each;
}
