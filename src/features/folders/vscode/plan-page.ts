import type { ReviewSource } from '#features/review/index.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { PlanPageDeps } from './deps.ts';

/** Opens the page of the plan in the editor area whenever the plan should be shown. */
export function planPage(deps: PlanPageDeps): Contribution {
  return {
    id: 'planPage',
    register: (store) => {
      let source: ReviewSource | undefined;
      const reveal = async (): Promise<void> => {
        if (!deps.plan.open.value) return;
        // Loaded on demand, together with the code that draws the page.
        const { planSource } = await import('#features/folders/vscode/plan-source.ts');
        if (!deps.plan.open.value) return;
        source ??= planSource(deps, () => {
          source = undefined;
        });
        await deps.reviews.open(source);
      };
      store.add(
        deps.plan.onDidReveal(() => {
          reveal().catch((error: unknown) => deps.boundary('modelbench.plan.show', error));
        }),
      );
    },
  };
}
