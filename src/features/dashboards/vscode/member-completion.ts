import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, textOf } from '#base/user-text.ts';
import type { Disposable } from '#base/disposable.ts';
import { type Member, type WidgetMemberKind, membersAt } from '#features/dashboards/members.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { objectScheme } from '#shell/view-ids.ts';
import { rangeIn } from '#shell/vscode/marks.ts';
import type { DashboardData } from '#features/dashboards/dashboard-data.ts';

/** Completes members of the data model in the config of widgets. */
export function registerMemberCompletion(
  targetOf: (uri: vscode.Uri) => DeploymentTarget | undefined,
  data: DashboardData,
): Disposable {
  return vscode.languages.registerCompletionItemProvider(
    { scheme: objectScheme, pattern: '**/*.dashboard.json' },
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
        return found.members.map((member) => itemOf(member, range, found.isQuoted));
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

function itemOf({ name, kind, title, description, type }: Member, range: vscode.Range, isQuoted: boolean) {
  const item = new vscode.CompletionItem({ label: textOf(name), description: textOf(title) }, icons[kind]);
  item.range = range;
  item.insertText = isQuoted ? name : `"${name}"`;
  item.filterText = item.insertText;
  item.detail = textOf(type === '' ? kind : `${kind} · ${type}`);
  if (description !== '') item.documentation = passage(description);
  return item;
}
