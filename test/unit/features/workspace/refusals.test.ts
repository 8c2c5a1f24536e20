import { describe, expect, it } from 'vitest';
import { deleteDeployment } from '#api/resources/deployments.ts';
import { getEnvVars, setEnvVars } from '#api/resources/runtime.ts';
import { errorTexts } from '#shell/error-texts.ts';
import {
  type ItemLocation,
  newNotificationDocument,
  notificationDocument,
  reportDocument,
  workbookDocument,
} from '#features/workspace/item-documents.ts';
import { demo } from '#platform/seed/names.ts';
import { openDesk } from '#support/features.ts';
import { refusals } from '../../../vscode/forms.ts';

type Send = (location: ItemLocation) => Promise<unknown> | undefined;

/** Documents of the workspace whose saving may be refused: VS Code shows what they throw. */
const documents: readonly (readonly [what: string, path: string, send: Send])[] = [
  ['a report', 'by-public-id', (location) => reportDocument(location, 'r', undefined).edit?.send({ name: 'R' }, {})],
  ['a workbook', 'by-slug', (location) => workbookDocument(location, 'w', undefined).edit?.send({ name: 'W' }, {})],
  [
    'a new notification',
    'notifications$',
    (location) => newNotificationDocument(location, 1).edit?.send({ name: 'N', dashboardPublicId: 'd' }, {}),
  ],
  [
    'a notification',
    'notifications/1',
    (location) => notificationDocument(location, '1').edit?.send({ name: 'N' }, {}),
  ],
  [
    'environment variables',
    'env-vars',
    ({ client, deploymentId }) => client.call(setEnvVars, { params: { deploymentId }, body: { env_variables: [] } }),
  ],
];

describe('a document that the platform refuses', () => {
  it.each(documents)('%s: says each refusal in a sentence', async (_what, path, send) => {
    const { client, platform } = await openDesk();
    for (const { status, says } of refusals) {
      platform.control.faults([{ kind: 'status', status, path, ...(status === 429 ? { retryAfter: 600 } : {}) }]);
      const thrown: unknown = await Promise.resolve(send({ client, deploymentId: '1' })).catch(
        (error: unknown) => error,
      );
      const words = errorTexts(thrown);
      expect(words.kind).toBe('expected');
      expect(words.kind === 'expected' ? words.message : '').toMatch(says);
    }
  });

  it('is said to be out of a scoped key’s reach', async () => {
    const { client } = await openDesk({ key: demo.keys.scoped });
    const params = { deploymentId: '3' };
    await expect(client.call(getEnvVars, { params })).rejects.toThrow('limited to other deployments');
    await expect(client.call(deleteDeployment, { params })).rejects.toThrow('limited to other deployments');
  });
});
