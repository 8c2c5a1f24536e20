import assert from 'node:assert/strict';
import { createEmbedTenantGroup, listEmbedTenantGroupUsers } from '#api/resources/embed.ts';
import { adminRefusals } from '../admin-forms.ts';
import type { Answer } from '../answers.ts';
import { refusalOf, refusals } from '../forms.ts';
import { pick } from '../user.ts';
import { describe, it } from '../runner.ts';
import { effects, stage, platformViews } from '../signed-in-stage.ts';

const tenant = 'wholesale';

// What the commands of the Administration view say to refusals that are not documented.
describe(
  'the views of the platform',
  () => {
    let groupId = '';

    const rowOf = (on: 'integration' | 'group') => ({
      kind: 'adminRow',
      id: 'row',
      accountId: stage().target.accountId,
      ...(on === 'integration'
        ? { list: { list: 'oauthIntegrations' }, row: { type: 'oauthIntegration', id: '1', name: 'CRM' } }
        : {
            list: { list: 'embedGroups', tenant },
            row: { type: 'embedGroup', id: groupId, name: 'partners', tenant },
          }),
    });
    const answersOf = (answers: readonly Answer[]) =>
      answers.map((answer) => ('type' in answer ? { type: answer.type.replace('{group}', groupId) } : answer));

    it('adds users of an embed tenant to a group', async () => {
      const { platform, user } = stage();
      const params = { embedTenantName: tenant };
      const made = await platform.client.call(createEmbedTenantGroup, { params, body: { name: 'partners' } });
      groupId = String(made.id);
      await user.does('modelbench.administration.addMembers', rowOf('group'), pick('otto'));
      const { data } = await platform.client.call(listEmbedTenantGroupUsers, { params: { ...params, id: groupId } });
      assert.deepEqual(
        data.map(({ externalId }) => externalId),
        ['otto'],
      );
    });

    for (const { operation, command, on, answers, missing } of adminRefusals) {
      it(`says each refusal of ${operation} where ${command} is used, and changes nothing`, async () => {
        const { platform, user, target } = stage();
        await platform.requests();
        for (const { status, says } of refusals) {
          await platform.faults([refusalOf(operation, status)]);
          const argument =
            on === 'account'
              ? { kind: 'adminList', accountId: target.accountId, list: { list: 'embedGroups', tenant } }
              : rowOf(on);
          const said = await user.does(command, argument, ...answersOf(answers));
          const words = status === 403 ? /may not/ : status === 404 ? (missing ?? says) : says;
          assert.match(said, words, `${status}: ${said}`);
          assert.doesNotMatch(said, /Something went wrong/);
        }
        await platform.faults([]);
        assert.deepEqual(await effects(stage()), []);
      });
    }
  },
  platformViews,
);
