import * as v from 'valibot';
import { operation } from '#api/operation.ts';
import { changed, freeObject, objectOf, opt, openBody, rowsOf } from '#api/schema.ts';

const tag = 'Tenant';

const toggles = {
  auditLog: v.optional(v.boolean()),
  maintenanceWindow: v.optional(v.boolean()),
  supportAccess: v.optional(v.boolean()),
  oidc: v.optional(v.boolean()),
  aiBiInterface: v.optional(v.boolean()),
};
const readToggles = {
  auditLog: opt(v.boolean()),
  maintenanceWindow: opt(v.boolean()),
  supportAccess: opt(v.boolean()),
  oidc: opt(v.boolean()),
  aiBiInterface: opt(v.boolean()),
};

/** See docs/platform-api.md#gettenantsettings. */
export const getTenantSettings = operation({
  id: 'getTenantSettings',
  method: 'GET',
  path: '/api/v1/tenant/settings',
  tag,
  summary: "Read the tenant's settings.",
  answer: objectOf(readToggles),
});

/** Undocumented settings pass through. See docs/platform-api.md#updatetenantsettings. */
export const updateTenantSettings = operation({
  id: 'updateTenantSettings',
  method: 'PUT',
  path: '/api/v1/tenant/settings',
  tag,
  summary: "Change the tenant's settings.",
  body: openBody(toggles),
  answer: changed(readToggles),
});

/** `AppConfigResponse`. See docs/platform-api.md#getappconfig. */
export const getAppConfig = operation({
  id: 'getAppConfig',
  method: 'GET',
  path: '/api/v1/app-config',
  tag,
  summary: 'Read the application configuration.',
  answer: objectOf({
    appTheme: v.optional(v.unknown()),
    applyThemeGlobally: opt(v.boolean()),
    creatorMode: opt(
      v.looseObject({
        localizedTitles: opt(rowsOf(v.looseObject({ locale: v.string(), value: v.string() }))),
        showGeneratedSql: opt(v.boolean()),
        showSemanticSql: opt(v.boolean()),
      }),
    ),
    embedding: opt(v.looseObject({ locale: opt(v.string()), showDashboardChat: opt(v.boolean()) })),
    sheetsUi: opt(v.looseObject({ showAppliedFilters: opt(v.boolean()) })),
  }),
});

/** Returns the OpenAPI 3.1 description; see `capabilities.ts`. See docs/platform-api.md#getapidescription. */
export const getApiDescription = operation({
  id: 'getApiDescription',
  method: 'GET',
  path: '/api/v1/spec',
  tag,
  summary: "Read the server's OpenAPI description.",
  answer: v.looseObject({ openapi: opt(v.string()), info: opt(freeObject), paths: freeObject }),
});
