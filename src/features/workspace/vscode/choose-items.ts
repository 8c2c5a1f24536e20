import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, withIcon } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import { type Chosen, chosenRows, referenceTo } from '#features/workspace/organise-items.ts';
import { itemsMatching, type ItemSearch, reportsOfSpreadsheet } from '#features/workspace/search-items.ts';
import { errorTexts } from '#shell/error-texts.ts';
import { Hint } from '#shell/user-error.ts';
import type { WorkspaceItem } from '#features/platform/index.ts';
import type { DeploymentTarget, TreeRow } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import type { DataDeps, FoundItem, SearchDeps } from './deps.ts';

/** A question to the user and the items to offer: reports and workbooks, or those of one type. */
export interface ItemQuestion {
  readonly question: string;
  readonly type?: ItemSearch['type'];
  /** Leaves out items that the platform would refuse. */
  readonly offers?: (item: WorkspaceItem) => boolean;
}

/** Resolves to the selected rows, or else asks the user to search for an item. */
export async function chosenItems(
  services: SearchDeps,
  selected: readonly TreeRow[],
  question: ItemQuestion,
): Promise<Chosen | undefined> {
  const rows = chosenRows(selected);
  if (rows) return rows;
  const found = await searchItem(services, question);
  return found && { target: found.target, items: [referenceTo(found.item)] };
}

interface Found extends vscode.QuickPickItem {
  /** Missing in the row that lists the reports of a spreadsheet, and in the one that reports a failed search. */
  readonly item?: WorkspaceItem;
  readonly repeats?: true;
}

const ofSpreadsheet: Found = { label: text`$(table) Reports of a Spreadsheet…`, alwaysShow: true };

/** Searches reports and workbooks on the server while the user types. */
export async function searchItem(
  services: SearchDeps,
  { question, type, offers = () => true }: ItemQuestion,
): Promise<FoundItem | undefined> {
  const target = services.session.active.value;
  if (!target) throw new Hint('Select a deployment first.', selectDeployment);
  const box = vscode.window.createQuickPick<Found>();
  box.placeholder = textOf(question);
  box.matchOnDescription = true;
  let running = new AbortController();
  const search = async (query: string): Promise<void> => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    box.busy = true;
    try {
      const items = await itemsMatching(services, target, { text: query, type }, signal);
      if (signal.aborted) return;
      box.items = [...items.filter(offers).map(foundRow), ...(type === 'WORKBOOK' ? [] : [ofSpreadsheet])];
      box.busy = false;
    } catch (error) {
      if (signal.aborted) return;
      // Keep the typed text, so that choosing the row repeats the search.
      const texts = errorTexts(error);
      const message = texts.kind === 'silent' ? 'The search was cancelled.' : texts.message;
      const failed = text`$(error) The search failed`;
      box.items = [{ label: failed, detail: textOf(message), alwaysShow: true, repeats: true }];
      box.busy = false;
    }
  };
  const picked = await new Promise<Found | undefined>((resolve) => {
    box.onDidChangeValue((query) => void search(query));
    box.onDidAccept(() => {
      const [chosen] = box.selectedItems;
      if (chosen?.repeats) void search(box.value);
      else resolve(chosen);
    });
    box.onDidHide(() => resolve(undefined));
    void search('');
    box.show();
  });
  running.abort();
  box.dispose();
  if (!picked) return undefined;
  const item = picked.item ?? (await reportOfSpreadsheet(services, target, offers));
  return item && { target, item };
}

const foundRow = (item: WorkspaceItem): Found => ({
  label: withIcon(item.type === 'REPORT' ? 'graph' : 'notebook', textOf(item.name)),
  description: textOf(item.folderPath.join(' / ')),
  // The server has already filtered the items, also by text that the label does not show.
  alwaysShow: true,
  item,
});

/** Asks for the id of an external spreadsheet and lists the reports that are connected to it. */
async function reportOfSpreadsheet(
  { data }: DataDeps,
  target: DeploymentTarget,
  offers: (item: WorkspaceItem) => boolean,
): Promise<WorkspaceItem | undefined> {
  let items: readonly WorkspaceItem[] = [];
  const typed = await askChecked({
    title: text`Reports of a Spreadsheet`,
    prompt: text`The id of the spreadsheet that reports are connected to`,
    validate: (value) => (value.trim() === '' ? 'Enter the id of a spreadsheet.' : undefined),
    // Show an error below the input, which keeps its text.
    check: async (value, signal) => {
      items = (await reportsOfSpreadsheet(data, target, value.trim(), signal)).filter(offers);
      return items.length === 0 ? `No report is connected to the spreadsheet “${value.trim()}”.` : undefined;
    },
  });
  if (typed === undefined) return undefined;
  const rows = items.map((item) => ({
    ...foundRow(item),
    detail: textOf((item.facts ?? []).find((fact) => fact.includes(typed.trim()))),
  }));
  const picked = await vscode.window.showQuickPick<Found>(rows, {
    title: text`Reports of Spreadsheet ${typed.trim()}`,
    placeHolder: text`${plural(items.length, 'report')}`,
  });
  return picked?.item;
}

const selectDeployment = { title: 'Select Deployment', command: 'modelbench.selectDeployment' } as const;
