import { beforeEach, describe, expect, it } from 'vitest';
import { parseDescription } from '#api/description/capabilities.ts';
import { getApiDescription } from '#api/resources/tenant.ts';
import { aiWidgets } from '#features/dashboards/ai-widgets.ts';
import { grantedAction, grantEmbedAccess, parseFilters, readEmbedAccess } from '#features/dashboards/embedding.ts';
import { chosenWorkbook, draftPlaceOf, readPublished, type Workbook } from '#features/dashboards/workbook.ts';
import type { DescribedData } from '#features/platform/described-platform.ts';
import { type Desk, openDesk } from '#support/features.ts';

let desk: Desk;
let services: DescribedData;
let workbook: Workbook;
beforeEach(async () => {
  desk = await openDesk();
  const capabilities = parseDescription(await desk.client.call(getApiDescription, {}));
  services = { data: desk.data, capabilitiesOf: async () => capabilities };
  workbook = { target: { accountId: desk.account.id, deploymentId: '1' }, id: '1', name: 'Sales' };
});

describe('access to an embedded dashboard', () => {
  it('is shown as it was granted, to one embed tenant and to all embed users', async () => {
    const before = await readEmbedAccess(services, workbook);
    const [tenant] = before.tenants ?? [];
    if (!tenant) throw new Error('The platform has no embed tenant.');
    await grantEmbedAccess(services, workbook, tenant.name, 'none');
    await grantEmbedAccess(services, workbook, undefined, 'read');
    const access = await readEmbedAccess(services, workbook);
    expect([grantedAction(access, tenant.name), grantedAction(access, undefined)]).toEqual(['none', 'read']);
  });

  it('says where the platform does not show what was granted', () => {
    expect(grantedAction({ grants: undefined }, 'acme')).toBe('not shown by the platform');
    expect(grantedAction({ grants: [] }, 'acme')).toBe('not set');
  });
});

describe('filters for a Python report', () => {
  it.each([
    ['[{"member": "orders.status"}]', [{ member: 'orders.status' }]],
    ['[]', []],
    ['{}', undefined],
    ['[1]', undefined],
    ['[', undefined],
  ])('are read from %s', (typed, expected) => {
    expect(parseFilters(typed)).toEqual(expected);
  });
});

describe('the dashboard of a workbook', () => {
  const offers = (known: boolean) => ({ offers: () => known, learnOffers: async () => undefined });
  const items = [{ type: 'WORKBOOK', id: '1', name: 'Sales' }] as const;

  it('is chosen only where the platform can read dashboards', async () => {
    const { target } = workbook;
    expect(await chosenWorkbook(offers(true), { target, items })).toEqual(workbook);
    await expect(chosenWorkbook(offers(false), { target, items })).rejects.toThrow(/cannot read dashboards/);
    await expect(chosenWorkbook(offers(true), { target, items: [] })).rejects.toThrow(/Choose a workbook/);
  });

  it('shows the draft that was written and not what is published', async () => {
    const location = draftPlaceOf(desk.data, workbook);
    const draft = { ...((await location.read()) as object), title: 'Changed here' };
    await location.write(draft);
    expect(await location.read()).toMatchObject({ title: 'Changed here' });
    expect(await readPublished(desk.data, workbook)).not.toMatchObject({ title: 'Changed here' });
  });

  it('names each AI widget with the checksum that it was read with', async () => {
    const location = draftPlaceOf(desk.data, workbook);
    const draft = (await location.read()) as { readonly widgets: readonly unknown[] };
    const widget = { id: 'ask', type: 'AI', position: { x: 0, y: 90, w: 1, h: 1 }, config: { checksum: 'c1' } };
    await location.write({ ...draft, widgets: [...draft.widgets, widget] });
    expect(await aiWidgets(desk.data, workbook)).toContainEqual({ id: 'ask', checksum: 'c1' });
  });
});
