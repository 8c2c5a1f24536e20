import { describe } from 'vitest';
import { administrationView } from './administration-view.journey.ts';
import { apiExplorerView } from './api-explorer-view.journey.ts';
import { endless } from './ask.ts';
import { dashboardsView } from './dashboards-view.journey.ts';
import { inOneWindow } from './journey.ts';
import { workspaceView } from './workspace-view.journey.ts';

const settings = {
  'modelbench.administration.enabled': true,
  'modelbench.apiExplorer.enabled': true,
  // A quote typed over a selection would surround it.
  'editor.autoSurround': 'never',
};

describe('the views of the side bar', () => {
  const play = inOneWindow({ signedIn: true, platform: { faults: true, chatDelayMs: endless }, host: { settings } });

  play(
    'Dashboards: documents with a preview, live, checked, merged with a newer draft, asked about conflicts',
    'dashboards',
    dashboardsView,
  );
  play(
    'Workspace: keeps favourites, sorts, moves by menu and by dragging, deletes and names what failed',
    'workspace',
    workspaceView,
  );
  play(
    'Administration: deactivates a user, refuses wrong documents, saves right ones, makes an attribute, a value and a group, deletes what was typed',
    'administration',
    administrationView,
  );
  play(
    'API Explorer: runs operations as documents: written with help, sent, streamed, refused, asked about, stopped, looked up',
    'api-explorer',
    apiExplorerView,
  );
});
