import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, textOf } from '#base/user-text.ts';
import type { Disposable } from '#base/disposable.ts';
import {
  type Member,
  type MemberLocation,
  type WidgetMemberKind,
  memberAt,
  membersAt,
  namesMembers,
} from '#features/dashboards/members.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { objectScheme } from '#shell/view-ids.ts';
import { registerHover } from '#shell/vscode/guarded/hovers.ts';
import { markdownFacts } from '#shell/vscode/guarded/markdown.ts';
import { rangeIn } from '#shell/vscode/marks.ts';
import type { DashboardData } from '#features/dashboards/dashboard-data.ts';

const selector = { scheme: objectScheme, pattern: '**/*.dashboard.json' };

/** Completes members of the data model in the config of widgets. */
export function registerMemberCompletion(
  targetOf: (uri: vscode.Uri) => DeploymentTarget | undefined,
  data: DashboardData,
): Disposable {
  return vscode.languages.registerCompletionItemProvider(
    selector,
    {
      provideCompletionItems: async (document, position) => {
        const target = targetOf(document.uri);
        if (!target) return [];
        const text = document.getText();
        const offset = document.offsetAt(position);
        // Check the position first, so that metadata is read only where a member can be inserted.
        if (!membersAt(text, offset, [])) return [];
        const found = membersAt(text, offset, await data.members(target));
        if (!found) return [];
        const range = rangeIn(document, found.range);
        return found.members.map((member) => itemOf(member, range, found.missing));
      },
    },
    '"',
    '.',
  );
}

const icons: Readonly<Record<WidgetMemberKind, vscode.CompletionItemKind>> = {
  measure: vscode.CompletionItemKind.Value,
  dimension: vscode.CompletionItemKind.Field,
  time: vscode.CompletionItemKind.Event,
  segment: vscode.CompletionItemKind.Constant,
};

/** Explains the members that the config of widgets names. */
export function registerMemberHover(
  targetOf: (uri: vscode.Uri) => DeploymentTarget | undefined,
  data: Pick<DashboardData, 'members'>,
): Disposable {
  return registerHover(selector, async (document, position) => {
    const target = targetOf(document.uri);
    const text = document.getText();
    if (!target || !namesMembers(text)) return undefined;
    const found = memberAt(text, document.offsetAt(position), await data.members(target));
    if (!found) return undefined;
    const { title, description } = found.member;
    return markdownFacts(textOf(title), [
      textOf(kindAndType(found.member)),
      ...(description === '' ? [] : [passage(description)]),
    ]);
  });
}

function kindAndType({ kind, type }: Member): string {
  return type === '' ? kind : `${kind} · ${type}`;
}

function itemOf(member: Member, range: vscode.Range, { before, after }: MemberLocation['missing']) {
  const { name, kind, title, description } = member;
  const item = new vscode.CompletionItem({ label: textOf(name), description: textOf(title) }, icons[kind]);
  item.range = range;
  item.insertText = `${before}${name}${after}`;
  item.filterText = `${before}${name}`;
  item.detail = textOf(kindAndType(member));
  if (description !== '') item.documentation = passage(description);
  return item;
}
