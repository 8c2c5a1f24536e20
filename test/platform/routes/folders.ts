import * as api from '#api/resources/folders.ts';
import { folderJson, type FolderRow } from '../core/workspace.ts';
import { cursorPage } from './lists.ts';
import { route } from './route.ts';

export const folderRoutes = [
  route(api.listFolders, ({ core, deployment, query }) => {
    const rows = core.db.all<FolderRow>(
      'SELECT * FROM folders WHERE deployment_id = ? ORDER BY name, id',
      deployment.id,
    );
    return cursorPage(
      rows,
      query,
      ({ name, id }) => ({ value: name, id }),
      (row) => folderJson(core, row),
    );
  }),
];
