import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHandlerDesk } from '#support/handler-desk.ts';
import { administrationStories } from '#support/wire/administration.ts';
import { branchStories } from '#support/wire/branches.ts';
import { deploymentStories } from '#support/wire/deployments.ts';
import { sessionStories } from '#support/wire/sessions.ts';
import type { WireStory } from '#support/wire/story.ts';
import { unseenOf } from '#support/wire/seen.ts';
import type { SentRequest } from '#support/wire/wire.ts';
import { workspaceStories } from '#support/wire/workspace.ts';
import { type ParameterRow, parameterRows } from '../../../tools/parameter-coverage.ts';
import { root } from '../../../tools/run.ts';
import { User } from '../../../vscode/user.ts';

const stories: readonly WireStory[] = [
  ...deploymentStories,
  ...branchStories,
  ...workspaceStories,
  ...administrationStories,
  ...sessionStories,
];

/** Parameters that need more of VS Code than these stories have, and the test that sees them. */
const elsewhere: Readonly<Record<string, string>> = {
  // The draft is an editor’s document: test/vscode/platform-views/drafts.suite.ts
  'updateWorkbookDashboard path deploymentId': 'test/vscode/platform-views/drafts.suite.ts',
  'updateWorkbookDashboard path workbookId': 'test/vscode/platform-views/drafts.suite.ts',
  'updateWorkbookDashboard body dashboardDraft': 'test/vscode/platform-views/drafts.suite.ts',
};

it('sees every parameter that has a place on the wire, and none that is never sent', async () => {
  const sent: SentRequest[] = [];
  for (const story of stories) sent.push(...(await played(story)));
  const idOf = ({ op, key }: ParameterRow): string => `${op.id} ${key}`;
  const rows = parameterRows();
  const placed = rows.filter(({ place }) => place?.by !== 'nobody').map(idOf);
  expect(unseenOf(placed, sent).toSorted()).toEqual(Object.keys(elsewhere).toSorted());
  const neverSent = rows.filter(({ place }) => place?.by === 'nobody').map(idOf);
  expect(unseenOf(neverSent, sent)).toEqual(neverSent);
  expect(Object.values(elsewhere).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

async function played({ name, play }: WireStory): Promise<readonly SentRequest[]> {
  const desk = await openHandlerDesk();
  const user = new User();
  try {
    await play(desk, user);
  } catch (error) {
    throw new Error(`The story that ${name} failed.`, { cause: error });
  } finally {
    user.leave();
  }
  return desk.wire.sent();
}

it('notices a parameter that is not sent, wherever it is', () => {
  const body = { items: [{ id: 1 }, { type: 'A' }], free: { a: 1 }, none: undefined };
  const request: SentRequest = { id: 'op', path: { id: '1' }, query: { q: 'x' }, body };
  const there = ['op path id', 'op query q', 'op body items[].id', 'op body items[].type', 'op body free.a'];
  const missing = ['op path q', 'op query id', 'op body items[].x', 'op body free.b', 'op body none', 'other path id'];
  expect(unseenOf([...there, ...missing], [request])).toEqual(missing);
});
