import type { Disposable } from '#base/disposable.ts';
import { lensCommands } from '#features/language/messages.ts';
import { registerLensCommand } from '#shell/vscode/guarded/commands.ts';
import { showReferences } from './commands.ts';
import type { LanguageDependencies } from './dependencies.ts';
import { openLocation } from './open-location.ts';

/** Registers the commands that only lenses run. */
export function registerLensCommands({ platform }: LanguageDependencies): readonly Disposable[] {
  return [
    registerLensCommand(lensCommands.showReferences, showReferences),
    registerLensCommand(lensCommands.openLocation, openLocation),
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
