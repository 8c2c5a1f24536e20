import type { Operation } from '#api/operation.ts';
import * as audit from './audit.ts';
import * as branches from './branches.ts';
import * as chat from './chat.ts';
import * as dashboards from './dashboards.ts';
import * as dataModel from './data-model.ts';
import * as deployments from './deployments.ts';
import * as embed from './embed.ts';
import * as environments from './environments.ts';
import * as folders from './folders.ts';
import * as github from './github.ts';
import * as notifications from './notifications.ts';
import * as oauth from './oauth.ts';
import * as oidc from './oidc.ts';
import * as reports from './reports.ts';
import * as runtime from './runtime.ts';
import * as scim from './scim.ts';
import * as signIn from './sign-in.ts';
import * as tenant from './tenant.ts';
import * as upload from './upload.ts';
import * as userAttributes from './user-attributes.ts';
import * as users from './users.ts';
import * as workbooks from './workbooks.ts';
import * as workspace from './workspace.ts';

const resources = [
  deployments,
  environments,
  runtime,
  branches,
  dataModel,
  upload,
  github,
  folders,
  reports,
  workbooks,
  dashboards,
  workspace,
  notifications,
  users,
  userAttributes,
  tenant,
  oauth,
  oidc,
  embed,
  scim,
  audit,
  signIn,
  chat,
];

/** Every operation, including optional ones (`described: true`). */
export const operations: readonly Operation[] = resources.flatMap((resource) =>
  Object.values(resource as Record<string, unknown>).filter((value) => isOperation(value)),
);

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'method' in value && 'answerKind' in value;
}
