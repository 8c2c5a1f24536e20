import * as v from 'valibot';
import { bulkAnswer } from './bulk-results.ts';
import { operation } from '#api/operation.ts';
import { idIn, idOut, inDeployment, opt, rowsOf, strictObject } from '#api/schema.ts';

const tag = 'Workspace';

export const workspaceItemTypes = ['FOLDER', 'WORKBOOK', 'REPORT'] as const;

/** The chain of folders above an item (docs/platform-api.md#workspace). */
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

/** Failures are reported per item. See docs/platform-api.md#bulkdeleteworkspaceitems. */
export const bulkDeleteWorkspaceItems = operation({
  id: 'bulkDeleteWorkspaceItems',
  reportsEach: true,
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workspace/bulk-delete',
  tag,
  summary: 'Delete folders, workbooks and reports.',
  params: inDeployment,
  body: strictObject({ items }),
  answer: bulkAnswer,
});

/**
 * Failures are reported per item. A null target is the top level of the workspace. See
 * docs/platform-api.md#bulkmoveworkspaceitems.
 */
export const bulkMoveWorkspaceItems = operation({
  id: 'bulkMoveWorkspaceItems',
  reportsEach: true,
  method: 'POST',
  path: '/api/v1/deployments/{deploymentId}/workspace/bulk-move',
  tag,
  summary: 'Move folders, workbooks and reports to a folder.',
  params: inDeployment,
  body: strictObject({ items, targetFolderId: v.nullable(idIn) }),
  answer: bulkAnswer,
});
