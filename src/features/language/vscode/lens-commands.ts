import type { Disposable } from '#base/disposable.ts';
import { lensCommands, type ReviewedEdit, type ReviewedMove } from '#features/language/messages.ts';
import { registerLensCommand } from '#shell/vscode/guarded/commands.ts';
import { showReferences } from './commands.ts';
import type { LanguageDependencies } from './dependencies.ts';
import { openLocation } from './open-location.ts';
import { reviewEdit, reviewMove } from './reviewed-fixes.ts';

/** Registers the commands that only lenses and quick fixes run. */
export function registerLensCommands({ boundary, edits, platform }: LanguageDependencies): readonly Disposable[] {
  const guarded =
    <T>(run: (fix: T) => Promise<void>) =>
    async (fix: T): Promise<void> =>
      run(fix).catch(async (error: unknown) => boundary('Quick fix', error));
  return [
    registerLensCommand(lensCommands.showReferences, showReferences),
    registerLensCommand(lensCommands.openLocation, openLocation),
    registerLensCommand(
      lensCommands.reviewEdit,
      guarded(async (edit: ReviewedEdit) => reviewEdit(edits, edit)),
    ),
    registerLensCommand(
      lensCommands.reviewMove,
      guarded(async (move: ReviewedMove) => reviewMove(edits, move)),
    ),
    ...(platform
      ? [
          registerLensCommand(lensCommands.previewMember, platform.preview),
          registerLensCommand(lensCommands.queryMember, platform.query),
          registerLensCommand(lensCommands.runQuery, platform.runQuery),
          registerLensCommand(lensCommands.showCompiledSql, platform.compiledSql),
        ]
      : []),
  ];
}
