import { setAiWidgetThread } from '#api/resources/dashboards.ts';
import { isObject } from '#api/schema.ts';
import { dashboardFacts, type PlatformData } from '#features/platform/index.ts';
import { Hint } from '#shell/user-error.ts';
import { dashboardParams, readDashboard, type Workbook } from './workbook.ts';

/** A widget that shows a chat thread. */
export interface AiWidget {
  readonly id: string;
  /** The checksum that was read with the widget: the platform can refuse the thread of a widget that changed meanwhile. */
  readonly checksum: string | undefined;
}

/** Resolves to the AI widgets of a dashboard, each once; throws `UserError` if it has none. */
export async function aiWidgets(data: PlatformData, workbook: Workbook): Promise<readonly AiWidget[]> {
  const { dashboardDraft, dashboardPublished } = await readDashboard(data, workbook);
  const found = new Map<string, AiWidget>();
  for (const widget of [...widgetsOf(dashboardDraft), ...widgetsOf(dashboardPublished)]) {
    const { type, id } = widget;
    if (type !== 'AI' || typeof id !== 'string' || found.has(id)) continue;
    found.set(id, { id, checksum: checksumOf(widget) });
  }
  if (found.size === 0) throw new Hint(`The dashboard of “${workbook.name}” has no widget of type AI.`);
  return [...found.values()];
}

/**
 * Attaches a chat thread to a widget (docs/platform-api.md#setaiwidgetthread); resolves to the returned facts about its
 * dashboard.
 */
export async function attachThread(
  data: PlatformData,
  workbook: Workbook,
  { id: widgetId, checksum }: AiWidget,
  threadId: string,
): Promise<{ readonly publicId: string | undefined; readonly facts: readonly string[] }> {
  const dashboard = await data.client(workbook.target.accountId).call(setAiWidgetThread, {
    params: dashboardParams(workbook),
    body: { widgetId, threadId, checksum },
  });
  return { publicId: dashboard?.publicId, facts: dashboardFacts(dashboard ?? {}) };
}

function checksumOf(widget: Readonly<Record<string, unknown>>): string | undefined {
  const config = widget['config'];
  const found = widget['checksum'] ?? (isObject(config) ? config['checksum'] : undefined);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function widgetsOf(dashboard: unknown): readonly Readonly<Record<string, unknown>>[] {
  const widgets = isObject(dashboard) ? dashboard['widgets'] : undefined;
  return Array.isArray(widgets) ? widgets.filter((widget) => isObject(widget)) : [];
}
