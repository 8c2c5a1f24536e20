import { auditRoutes } from './audit.ts';
import { embedRoutes } from './embed.ts';
import { githubRoutes } from './github.ts';
import { notificationRoutes } from './notifications.ts';
import { oauthRoutes } from './oauth.ts';
import { oidcRoutes } from './oidc.ts';
import { scimRoutes } from './scim.ts';
import { signInRoutes } from './sign-in.ts';
import { userAttributeRoutes } from './user-attributes.ts';
import { userRoutes } from './users.ts';
import { workspaceRoutes } from './workspace.ts';
import { branchRoutes } from './branches.ts';
import { dashboardRoutes } from './dashboards.ts';
import { dataModelRoutes } from './data-model.ts';
import { deploymentRoutes } from './deployments.ts';
import { environmentRoutes } from './environments.ts';
import { folderRoutes } from './folders.ts';
import { reportRoutes } from './reports.ts';
import type { Route } from './route.ts';
import { runtimeRoutes } from './runtime.ts';
import { tenantRoutes } from './tenant.ts';
import { uploadRoutes } from './upload.ts';
import { workbookRoutes } from './workbooks.ts';
import { workflowRoutes } from './workflow.ts';

/** Every operation of the management, build and SCIM APIs that the platform serves. Chat and data are mounts of their own. */
export const routes: readonly Route[] = [
  ...deploymentRoutes,
  ...environmentRoutes,
  ...runtimeRoutes,
  ...branchRoutes,
  ...workflowRoutes,
  ...dataModelRoutes,
  ...uploadRoutes,
  ...folderRoutes,
  ...reportRoutes,
  ...workbookRoutes,
  ...dashboardRoutes,
  ...workspaceRoutes,
  ...notificationRoutes,
  ...tenantRoutes,
  ...auditRoutes,
  ...embedRoutes,
  ...githubRoutes,
  ...oauthRoutes,
  ...oidcRoutes,
  ...scimRoutes,
  ...signInRoutes,
  ...userAttributeRoutes,
  ...userRoutes,
];
