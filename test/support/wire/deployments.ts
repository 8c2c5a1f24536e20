import type { ShownQuery, ShowResults } from '#shell/shown-query.ts';
import { showAudit } from '#features/audit/vscode/audit-table.ts';
import { create } from '#features/deployments/vscode/create-deployment.ts';
import {
  askVersion,
  dbtSync,
  remove,
  showPods,
  variablesDocument,
} from '#features/deployments/vscode/manage-deployment.ts';
import { changeCreationStep, connectToGithub } from '#features/deployments/vscode/github.ts';
import { createToken } from '#features/deployments/vscode/metadata-token.ts';
import { changeLog } from '#features/logs/vscode/choose-log.ts';
import { askLog, firstLog, type LogChoice, LogChoices } from '#features/logs/log-choice.ts';
import { MemoryState } from '../memory-state.ts';
import { systemClock } from '#base/clock.ts';
import { Queries, type QueryPorts, type QueryStorage } from '#features/data/queries.ts';
import { fetchBuildStatus, fetchDeployments, fetchEnvironments } from '#features/platform/gateway.ts';
import { type Answer, pick, press, type } from '../../vscode/answers.ts';
import { act, sendAnyway, type WireStory } from './story.ts';

const whole = [type('Wire'), pick('N. Virginia'), pick('aws'), pick('upload'), pick('cli'), type('{"aws": {}}')];
const settings: readonly (readonly Answer[])[] = [
  [pick('Rename…'), type('Shop'), press('Change Settings')],
  [pick('Deploy Mode…'), pick('git'), press('Change Settings')],
  [pick('Creation Method…'), pick('upload'), press('Change Settings')],
  [pick('Another Version…'), type('v9.9.9'), press('Change Version')],
  [pick('Newest of channel “latest”'), press('Change Version')],
];
const auditFilters = [
  ['eventName', 'user.created'],
  ['userEmail', 'ada@shop.example'],
  ['search', 'ada'],
] as const;

/** Requests of the Deployments view and its commands. */
export const deploymentStories: readonly WireStory[] = [
  {
    name: 'creates, changes and deletes a deployment',
    play: async ({ services, account, target }, person) => {
      await act(person, async () => create(services, account.id), ...whole);
      for (const answers of settings) {
        await act(person, async () => askVersion(services, target), ...answers);
      }
      await act(person, async () => changeCreationStep(services, target), pick('Next Step'));
      await act(person, async () => changeCreationStep(services, target), pick('Start Again'));
      await act(person, async () => remove(services, target), type('Shop'));
    },
  },
  {
    name: 'connects a deployment to GitHub',
    play: async ({ services, target }, person) => {
      const answers = [pick('shop'), pick('marketing-model'), pick('main'), press('Connect Shop analytics to GitHub')];
      await act(person, async () => connectToGithub(services, target), ...answers);
    },
  },
  {
    name: 'gets a token to query with',
    play: async ({ services, target }) => {
      const fetch = (): Promise<Response> => Promise.resolve(Response.json({ data: [] }));
      const ask = (): Promise<void> => Promise.resolve();
      const ports: Omit<QueryPorts, 'clock' | 'ask' | 'storage'> = services;
      const queries = new Queries({
        ...ports,
        storage: { secrets: (services as QueryStorage).secrets, user: new MemoryState(), window: new MemoryState() },
        clock: systemClock,
        fetch,
        ask,
      });
      await queries.run({ kind: 'environment', ...target }, { measures: ['orders.count'] });
    },
  },
  {
    name: 'lists deployments, environments and the build, and makes a token',
    play: async ({ client, services, target }, person) => {
      await fetchDeployments(client);
      await fetchEnvironments(client, '1');
      await fetchBuildStatus(client, '1', 'main');
      const answers = [pick('Only production'), pick('Production'), type('{"tenant":"acme"}'), type('1h')];
      await act(person, async () => createToken(services, target, undefined), ...answers);
    },
  },
  {
    name: 'follows a log, shows pods and starts a dbt sync',
    play: async ({ data, services, target, memory }, person) => {
      const answers = [...[pick('production'), pick('MAIN'), pick('main'), pick('1 Hour Ago')]];
      const choose = async (): Promise<void> => {
        let choice: LogChoice = firstLog([]);
        for (const what of ['source', 'container', 'branchName', 'from'] as const) {
          choice = (await changeLog(services, target, new LogChoices(memory), { choice, what })) ?? choice;
        }
        const chosen = { ...choice, pod: 'api-0' };
        const question = { from: choice.from, limit: 10 };
        for await (const _ of askLog(data, target, chosen)(question, new AbortController().signal)) continue;
      };
      await act(person, choose, ...answers);
      await act(person, async () => showPods(services, target), { escape: true });
      await act(
        person,
        async () => dbtSync(services, target),
        pick('main'),
        press('Start dbt Sync on main (production)'),
      );
    },
  },
  {
    name: 'writes environment variables',
    play: async ({ services, target }, person) => {
      const document = variablesDocument(services, target, '/variables.json');
      await document.read();
      const body = { env_variables: [{ name: 'WIRE', value: 'x', isSecret: true }] };
      await act(person, async () => document.save?.(body), press('Write'));
    },
  },
  {
    name: 'reads the audit log with each filter',
    play: async ({ services, account }, person) => {
      const read = async ({ client, choices }: ShownQuery, filter: string) => {
        await choices?.choose('period');
        await choices?.choose(filter);
        for await (const _ of client.cubeSql('')) continue;
      };
      const shown: Promise<void>[] = [];
      for (const [filter, typed] of auditFilters) {
        await act(
          person,
          async () => {
            const showResults: ShowResults = async (query) => read(query, filter);
            const own = { ...(services as object), showResults } as never;
            const reading = showAudit(own, account.id);
            shown.push(reading);
            await reading.catch(() => undefined);
          },
          pick('Between Two Dates…'),
          type('2026-01-01 2026-02-01'),
          type(typed),
        );
      }
      await Promise.all(shown.map((each) => sendAnyway(async () => each)));
    },
  },
];
