import { expect, it } from 'vitest';
import { operationPlaces } from '../../../tools/operation-places.ts';
import { dashboardForms } from '../../../vscode/dashboard-forms.ts';

/** Commands whose forms `test/vscode/dashboard-forms.ts` holds. */
const ours = /^modelbench\.(?:dashboard\.|workspace\.(?:move|delete)$)/;

it('holds each request that dashboards and bulk changes of the workspace make, and no other', () => {
  const made = Object.entries(operationPlaces).flatMap(([id, place]) => (ours.test(place) ? [id] : []));
  const tried = dashboardForms.refusedRequests.map(({ operation }) => operation);
  expect(tried.toSorted()).toEqual(made.toSorted());
});
