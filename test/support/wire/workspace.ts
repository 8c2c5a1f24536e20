import { updateWorkbookDashboard } from '#api/resources/dashboards.ts';
import {
  newNotificationDocument,
  notificationDocument,
  reportDocument,
  workbookDocument,
} from '#features/workspace/item-documents.ts';
import { folderPage, reportPage, workbookPage } from '#features/platform/workspace-lists.ts';
import { connectSpreadsheet, removeNotification, showNotifications } from '#features/workspace/vscode/item-commands.ts';
import { duplicate, move, remove } from '#features/workspace/vscode/organise-items.ts';
import { searchItem } from '#features/workspace/vscode/choose-items.ts';
import * as workbooks from '#features/dashboards/vscode/workbook-commands.ts';
import { publish } from '#features/dashboards/vscode/publish.ts';
import type { HandlerDesk } from '../handler-desk.ts';
import { send } from '../platform.ts';
import { type Answer, escape, pick, type } from '../../vscode/answers.ts';
import { setUpHeader } from './wire.ts';
import { act, saved, sendAnyway, type WireStory } from './story.ts';

const recipient = { userId: '1', email: 'a@b.example', username: 'a', embedTenantName: 't', externalId: 'e' };
const notification = {
  name: 'Wire',
  schedule: '0 8 * * *',
  timezone: 'UTC',
  enabled: true,
  recipients: [recipient],
  filters: [],
  timeGrains: [],
};
const filters: readonly (readonly Answer[])[] = [
  [pick('By Dashboard…'), type('nowhere')],
  [pick('By E-mail Address…'), type('nobody@shop.example')],
  [pick('By User…'), type('999')],
  [pick('By Embed User…'), pick('wholesale'), type('e-1')],
];

const report = { type: 'REPORT', id: '1', name: 'x', publicId: 'x' } as const;
const item = (desk: HandlerDesk) => ({ target: desk.target, items: [report] });
const workbook = (desk: HandlerDesk) => ({ target: desk.target, id: '1', name: 'x' });

/** Requests of the Workspace view, its documents and those of dashboards. */
export const workspaceStories: readonly WireStory[] = [
  {
    name: 'lists folders, reports and workbooks page by page, ordered and searched',
    play: async ({ client, services }, person) => {
      const request = { after: 'c', folderId: '1', search: 'x' };
      await sendAnyway(async () => folderPage(client, '1', request));
      await sendAnyway(async () => reportPage(client, '1', { ...request, sortBy: 'name' }));
      await sendAnyway(async () => workbookPage(client, '1', request));
      const search = async () => sendAnyway(async () => searchItem(services, { question: 'Which?' }));
      await act(person, search, pick('Reports of a Spreadsheet…'), type('sheet-9'), escape);
    },
  },
  {
    name: 'saves the documents of reports, workbooks and notifications',
    play: async ({ client }) => {
      const place = { client, deploymentId: '1' };
      await saved(reportDocument(place, 'wire', 'Wire'), { name: 'Wire', publicId: 'wire', folderId: null });
      await saved(workbookDocument(place, 'wire', 'Wire'), { name: 'Wire', folderId: null });
      await saved(newNotificationDocument(place, 1), { ...notification, dashboardId: 1 });
      await saved(newNotificationDocument(place, 2), { ...notification, dashboardPublicId: 'd' });
      await saved(notificationDocument(place, '1'), notification);
    },
  },
  {
    name: 'lists notifications by each filter and deletes one',
    play: async ({ services, target }, person) => {
      const show = async () => sendAnyway(async () => showNotifications(services, target));
      for (const answers of filters) await act(person, show, ...answers);
      const named = 'Monday numbers';
      const drop = async () => sendAnyway(async () => removeNotification(services, target));
      await act(person, drop, pick(named), type(named));
    },
  },
  {
    name: 'connects, duplicates, moves and deletes items',
    play: async (desk, person) => {
      const { services } = desk;
      const sheet = [type('sheet-9'), type('A1'), type('D9')];
      await act(person, async () => connectSpreadsheet(services, item(desk)), ...sheet);
      const copied = { target: desk.target, items: [{ type: 'WORKBOOK', id: '1', name: 'x' }] } as const;
      await act(person, async () => duplicate(services, copied), pick('From the shared workspace'));
      await act(person, async () => move(services, item(desk)), pick('Management'));
      await act(person, async () => remove(services, item(desk)), type('x'));
    },
  },
  {
    name: 'embeds a dashboard, publishes it, attaches a thread and runs a report',
    play: async (desk, person) => {
      const { services } = desk;
      const of = workbook(desk);
      await withChecksum(desk);
      const publicId = type('dashboard-store-performance');
      const acts: readonly (readonly [() => Promise<unknown>, ...Answer[]])[] = [
        [() => workbooks.attachThread(services, of), pick('why'), type('thread-9')],
        [() => workbooks.changeEmbedAccess(services, of), pick('All embed users'), pick('Read')],
        [() => workbooks.changeEmbedAccess(services, of), pick('wholesale'), pick('None')],
        [() => workbooks.switchEmbedding(services, of), publicId, pick('On')],
        [() => workbooks.runPython(services, of), publicId, type('report-01'), type('[{"member": "a.b"}]')],
        [() => publish(withDocuments(services), drafts, of), pick('Publish and Allow Embedding')],
      ];
      for (const [send, ...answers] of acts) await act(person, send, ...answers);
    },
  },
];

/** Gives the AI widget of the demo’s dashboard a checksum. */
async function withChecksum({ platform }: HandlerDesk): Promise<void> {
  const params = { deploymentId: '1', workbookId: '1' };
  const position = { x: 0, y: 0, w: 4, h: 2 };
  const widgets = [{ id: 'why', type: 'AI' as const, position, config: { checksum: 'abc' } }];
  await send(platform, updateWorkbookDashboard, {
    params,
    body: { dashboardDraft: { widgets } },
    headers: { [setUpHeader]: 'true' },
  });
}

const drafts = { uriOf: () => ({}), isOlderThan: () => false } as never;
const withDocuments = (services: object): never =>
  ({ ...services, objects: { hasChanges: () => Promise.resolve(false) } }) as never;
