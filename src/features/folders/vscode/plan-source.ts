import { derived } from '#base/derived.ts';
import { text, textOf } from '#base/user-text.ts';
import { textsOf } from '#features/folders/branch-compare.ts';
import { PlanModelDiff } from '#features/folders/plan-model-diff.ts';
import { planDocument, planTextLink } from '#features/folders/plan-review.ts';
import { planSelection } from '#features/folders/plan-selection.ts';
import type { OpenPlan } from '#features/folders/plan-view.ts';
import { buildAppearance, type BuildState, isBuilding } from '#features/platform/index.ts';
import { AskedImpact, type ReviewSource, type RowTexts, textsOfBytes } from '#features/review/index.ts';
import type { ReviewSection } from '#features/review/messages.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import { openChanges } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import type { PlanPageDeps } from './deps.ts';
import { fileUri } from './folder-uris.ts';
import { entryTexts, otherTexts, sideBytes, sidesOf, type TextLocation } from './plan-texts.ts';
import { textsAfter } from './texts-after.ts';

/** The most differences to open in one editor; more would be of no use. */
const mostDiffs = 500;

/** Returns the source of the open plan, whichever it is: an open page also shows the next plan. */
export function planSource(deps: PlanPageDeps, closed: () => void): ReviewSource {
  const { plan } = deps;
  const impact = new AskedImpact<OpenPlan>({
    isSame: (one, other) => one.plan === other.plan && one.ticked === other.ticked,
    find: async ({ session: { folder, target }, plan: shown, ticked }) =>
      deps.reviewTexts(target, `Folder ${folder.name}`, async (before) =>
        shown ? textsAfter(folder.folderId, shown, ticked, before) : textsOf(before),
      ),
  });
  const modelDiff = new PlanModelDiff(plan.open, {
    texts: entryTexts,
    others: otherTexts,
    compare: deps.model.ofFiles,
  });
  const document = derived(() => {
    const open = plan.open.value;
    if (!open) return undefined;
    const build = buildSection(open, deps.builds.stateOf(open.session.target));
    // A pull changes nothing on the platform.
    const onUsers = open.direction === 'pull' ? undefined : impact.section(open);
    const sections = [build, modelDiff.section(open), onUsers];
    return planDocument(
      open,
      sections.filter((section) => section !== undefined),
    );
  });
  return {
    key: 'plan',
    // The plan ends with its sync, whichever account that has.
    accountId: undefined,
    document,
    tick: (paths, isTicked) => plan.tick(paths, isTicked),
    texts: async (path) => rowTexts(deps, path),
    diff: async (path) => openRow(plan.open.value, path),
    diffAll: async () => openAll(deps),
    explain: async (path) => {
      const folderId = plan.open.value?.session.folder.folderId;
      if (folderId !== undefined) await execute('modelbench.sync.explain', { folderId, path });
    },
    run: async (id) => {
      const open = plan.open.value;
      if (id === planTextLink) await execute('modelbench.plan.dryRun');
      else if (open) await impact.run(id, open);
    },
    input: ({ message }) => plan.open.value?.work?.keep(message),
    // Applying closes the plan, which ends the review.
    apply: async (input) => {
      if (plan.open.value?.work) await plan.applyWork(input);
      else await execute('modelbench.plan.apply');
      return false;
    },
    close: () => {
      document.dispose();
      modelDiff.dispose();
      closed();
      plan.close();
    },
  };
}

async function openRow(open: OpenPlan | undefined, path: string): Promise<void> {
  if (!open) return;
  const file = { folderId: open.session.folder.folderId, path };
  if (entryOf(open, path)?.kind === 'conflict') await execute('modelbench.conflict.merge', file);
  else await execute('modelbench.openChange', { ...file, id: `plan/${path}` });
}

function buildSection({ session }: OpenPlan, state: BuildState | undefined): ReviewSection {
  const { branchName } = session.target;
  const section = { id: 'build', title: 'Build', lines: [] } as const;
  if (!state) return { ...section, summary: `of ${branchName}: not known yet`, state: 'unknown' };
  const { label } = buildAppearance(state);
  return { ...section, summary: `of ${branchName}: ${label}`, state: buildMark(state) };
}

function buildMark(state: BuildState): ReviewSection['state'] {
  if (isBuilding(state)) return 'loading';
  if (state.phase === 'built') return 'ok';
  return state.phase === 'failed' ? 'error' : 'unknown';
}

function entryOf({ plan }: OpenPlan, path: string): PlanEntry | undefined {
  return plan?.entries.find((entry) => entry.path === path);
}

async function rowTexts({ plan, model }: PlanPageDeps, path: string): Promise<RowTexts> {
  const open = plan.open.value;
  const entry = open && entryOf(open, path);
  const sides = entry && sidesOf(entry);
  if (!sides) return { before: undefined, after: undefined, note: 'This file is not transferred.' };
  const [before, after] = await Promise.all(sides.map(async (side) => sideBytes(open, side)));
  const texts = textsOfBytes(before, after);
  return { ...texts, changes: await model.ofFile(path, texts.before, texts.after) };
}

/** Opens the differences of all ticked entries in one editor. */
async function openAll({ plan, documents, remote }: PlanPageDeps): Promise<void> {
  const open = plan.open.value;
  if (!open?.plan) return;
  const { session, purpose, ticked, direction } = open;
  const { folderId } = session.folder;
  const uriOf = (side: TextLocation): vscode.Uri | undefined => {
    if (!side) return undefined;
    if ('here' in side) return fileUri({ folderId, path: side.here });
    const path = side.there;
    return purpose === 'deploy' ? remote.uri(session.target, path) : documents.uri({ folderId, path }, 'remote');
  };
  const chosen = planSelection(open.plan, direction);
  const changes = open.plan.entries.flatMap((entry) => {
    const sides = chosen.has(entry.path) && ticked.has(entry.path) ? sidesOf(entry) : undefined;
    if (!sides) return [];
    const [before, after] = sides.map(uriOf);
    return [[fileUri({ folderId, path: entry.path }), before, after] as const];
  });
  await openChanges(textOf(planDocument(open, []).title), changes.slice(0, mostDiffs));
  if (changes.length > mostDiffs) {
    vscode.window.setStatusBarMessage(text`Showing the first ${mostDiffs} of ${changes.length} differences`, 8000);
  }
}
