import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '#api/resources/operations.ts';
import { operationPlaces } from '../../../tools/operation-places.ts';
import { root } from '../../../tools/run.ts';
import { refusedRequests, type WrongInput, wrongInputs } from '../../../vscode/forms.ts';

/** Commands whose forms `test/vscode/forms.ts` holds. Dashboards and administration have tables of their own. */
const ours =
  /^modelbench\.(?:signIn|deployment|environment|audit|notification|workspace\.(?:create|connect|duplicate))\b/;

/** Requests of these commands that are judged elsewhere, and where. */
const elsewhere: Readonly<Record<string, string>> = {
  getLogs: 'test/unit/features/logs/log-feed.test.ts',
  startDeviceSignIn: 'test/unit/api/resources/device-sign-in.test.ts',
  pollDeviceSignIn: 'test/unit/api/resources/device-sign-in.test.ts',
  refreshSignIn: 'test/unit/api/resources/device-sign-in.test.ts',
};

/** Questions that no command asks at once: how many a file has, and the test that asks them. */
const askedLater: Readonly<Record<string, { readonly questions: number; readonly test: string }>> = {
  'features/audit/vscode/ask-audit-filter.ts': {
    questions: 1,
    test: 'test/unit/features/audit/ask-audit-filter.test.ts',
  },
  'features/data/vscode/ask-credential.ts': { questions: 1, test: 'test/unit/features/data/vscode/forms.test.ts' },
  'features/data/vscode/choose-target.ts': { questions: 1, test: 'test/unit/features/data/vscode/forms.test.ts' },
  'features/logs/vscode/choose-log.ts': { questions: 3, test: 'test/unit/features/logs/vscode/logs.test.ts' },
  'features/platform/vscode/type-embed-tenant.ts': {
    questions: 1,
    test: 'test/unit/features/platform/vscode/type-embed-tenant.test.ts',
  },
};

/** Source files with questions of these commands, by their path in `src`. */
const sources = new Map(
  [
    ...['audit', 'builds', 'data', 'deployments', 'lineage', 'logs', 'platform', 'workspace'].flatMap((feature) =>
      readdirSync(join(root, `src/features/${feature}/vscode`)).map((name) => `features/${feature}/vscode/${name}`),
    ),
    'features/accounts/vscode/sign-in.ts',
    'shell/vscode/protection.ts',
  ]
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, readFileSync(join(root, 'src', path), 'utf8')] as const),
);

/** Files whose number of questions is not the number of fields that have rows. */
function withoutRows(files: ReadonlyMap<string, string>, rows: readonly WrongInput[]): readonly string[] {
  return [...files].flatMap(([path, text]) => {
    const asked = text.match(/\b(?:askChecked|showInputBox)\(/g)?.length ?? 0;
    const known = new Set(rows.filter(({ asks }) => asks === path).map(({ field }) => field)).size;
    return asked === known + (askedLater[path]?.questions ?? 0)
      ? []
      : [`${path} asks ${asked} questions, ${known} have rows in test/vscode/forms.ts`];
  });
}

/** Operations of these commands without a row. */
function withoutRefusals(rows: readonly { readonly operation: string }[]): readonly string[] {
  const known = new Set(rows.map(({ operation }) => operation));
  return Object.entries(operationPlaces)
    .filter(([id, place]) => ours.test(place) && !known.has(id) && !(id in elsewhere))
    .map(([id]) => id);
}

describe('the tables of forms', () => {
  it('have a row for each question and for each request', () => {
    expect(withoutRows(sources, wrongInputs)).toEqual([]);
    expect(withoutRefusals(refusedRequests)).toEqual([]);
    expect(Object.values(askedLater).filter(({ test }) => !existsSync(join(root, test)))).toEqual([]);
  });

  it('would notice a question or a request without a row', () => {
    const path = 'features/deployments/vscode/manage-deployment.ts';
    const more = new Map([[path, `${sources.get(path) ?? ''}\nawait askChecked({});`]]);
    expect(withoutRows(more, wrongInputs)).toEqual([`${path} asks 2 questions, 1 have rows in test/vscode/forms.ts`]);
    expect(
      withoutRows(new Map([['features/workspace/vscode/new.ts', 'askChecked({ title })']]), wrongInputs),
    ).toHaveLength(1);
    const fewer = refusedRequests.filter(({ operation }) => operation !== 'createDeployment');
    expect(withoutRefusals(fewer)).toEqual(['createDeployment']);
  });

  it('name operations that there are', () => {
    const ids = new Set(operations.map(({ id }) => id));
    expect(refusedRequests.filter(({ operation }) => !ids.has(operation))).toEqual([]);
  });
});
