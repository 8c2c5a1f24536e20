import * as deployments from '#api/resources/deployments.ts';
import * as api from '#api/resources/tenant.ts';
import { regions } from '../core/deployments.ts';
import { json } from '../core/rows.ts';
import { record } from './record.ts';
import { type Call, requireAdmin, route } from './route.ts';

export const tenantRoutes = [
  route(deployments.listRegions, () => regions),

  // Loaded when it is asked for: nothing else needs the schema converter.
  route(api.getApiDescription, async () => {
    const { apiDescriptionText } = await import('../openapi.ts');
    return new Response(apiDescriptionText(), { headers: { 'content-type': 'application/json' } });
  }),

  route(api.getAppConfig, (call) => {
    const { appConfig } = settings(call);
    return {
      appTheme: null,
      applyThemeGlobally: false,
      creatorMode: {
        localizedTitles: [{ locale: 'en', value: 'Workbooks' }],
        showGeneratedSql: true,
        showSemanticSql: true,
      },
      embedding: { locale: 'en', showDashboardChat: true },
      sheetsUi: { showAppliedFilters: true },
      ...(appConfig as object | undefined),
    };
  }),

  route(api.getTenantSettings, (call) => toggles(call)),

  route(api.updateTenantSettings, (call) => {
    requireAdmin(call.caller);
    const { auditLog, ...more } = call.body;
    const next = { ...settings(call), ...more };
    // Recorded first: the event that switches the audit log off is itself in it.
    record(call, 'tenant.settingsUpdated', { ...call.body });
    call.core.db.run(
      'UPDATE tenants SET settings = ?, audit_enabled = coalesce(?, audit_enabled) WHERE id = ?',
      JSON.stringify(next),
      auditLog === undefined ? null : Number(auditLog),
      call.caller.tenantId,
    );
    return toggles(call);
  }),
];

function toggles(call: Pick<Call, 'core' | 'caller'>): object {
  const audit = call.core.db.get<{ audit_enabled: number }>(
    'SELECT audit_enabled FROM tenants WHERE id = ?',
    call.caller.tenantId,
  );
  const { appConfig: _, ...rest } = settings(call);
  const off = { maintenanceWindow: false, supportAccess: false, oidc: false, aiBiInterface: true };
  return { ...off, ...rest, auditLog: audit?.audit_enabled === 1 };
}

const settings = (call: Pick<Call, 'core' | 'caller'>): Record<string, unknown> =>
  json(
    call.core.db.get<{ settings: string }>('SELECT settings FROM tenants WHERE id = ?', call.caller.tenantId)?.settings,
  );
