import * as v from 'valibot';
import { bulkAnswer } from './bulk-results.ts';
import { operation } from './operation.ts';
import { idIn, idOut, inDeployment, opt, rowsOf, strictObject } from './schema.ts';

const tag = 'Workspace';

export const workspaceItemTypes = ['FOLDER', 'WORKBOOK', 'REPORT'] as const;

/** One step of the chain of folders above an item (management 2.8). */
export const folderPath = rowsOf(v.looseObject({ id: idOut, name: opt(v.string()) }));

const items = v.pipe(
  v.array(
    strictObject({
      type: v.picklist(workspaceItemTypes, `must be one of ${workspaceItemTypes.join(', ')}`),
      id: idIn,
    }),
  ),
  v.minLength(1, 'must name at least one item'),
);

/** Management 4.11; failures are per item. */
export const bulkDeleteWorkspaceItems = operation({
  id: 'bulkDeleteWorkspaceItems',
  tellsEach: true,
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workspace/bulk-delete',
  section: 'management 4.11',
  tag,
  summary: 'Delete folders, workbooks and reports.',
  answerKind: 'json',
  params: inDeployment,
  body: strictObject({ items }),
  answer: bulkAnswer,
});

/** Management 4.11; failures are per item. A null target is the top of the workspace. */
export const bulkMoveWorkspaceItems = operation({
  id: 'bulkMoveWorkspaceItems',
  tellsEach: true,
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workspace/bulk-move',
  section: 'management 4.11',
  tag,
  summary: 'Move folders, workbooks and reports to a folder.',
  answerKind: 'json',
  params: inDeployment,
  body: strictObject({ items, targetFolderId: v.nullable(idIn) }),
  answer: bulkAnswer,
});
