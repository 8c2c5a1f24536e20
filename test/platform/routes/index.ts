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
  ...tenantRoutes,
];
