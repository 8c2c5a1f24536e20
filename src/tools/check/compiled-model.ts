import * as v from 'valibot';
import type { Found } from '#model/checks/check.ts';
import { fileProblems } from '#model/checks/file-problems.ts';
import {
  compiledHere,
  foreignName,
  notCompiledHere,
  placedRefusals,
  uncoveredRefusals,
  withoutOmitted,
} from '#model/engine/engine-refusals.ts';
import { withoutFollowing } from '#model/engine/following-errors.ts';
import type { ModelFile } from '#model/file.ts';
import type { OpenedModel } from '#tools/model/opened-model.ts';
import type { ToolPorts } from '#tools/ports.ts';
import type { ToolContext } from '#tools/tool.ts';

/** The result of the platform's compiler for a whole model. */
export const engineVerdictSchema = v.object({
  state: v.pipe(
    v.picklist(['accepted', 'refused', 'skipped']),
    v.description('`skipped`: the model was not compiled; see `reason`.'),
  ),
  reason: v.optional(v.string()),
  omitted: v.optional(
    v.pipe(
      v.number(),
      v.description('Templates that use Python or the environment, which only the platform compiles.'),
    ),
  ),
});

/** A compiled model, or the reason why it was not compiled. */
export interface CompiledModel {
  readonly verdict: v.InferOutput<typeof engineVerdictSchema>;
  /** Returns the compiler's errors in a file that `own` does not already explain. */
  readonly problemsIn: (file: ModelFile, own: readonly Found[]) => readonly Found[];
}

/** Has the platform's compiler check a model, offline and in a sandbox (docs/tools.md#check). */
export async function compileModel(
  { compile }: Pick<ToolPorts, 'compile'>,
  opened: OpenedModel,
  { progress, signal }: ToolContext,
): Promise<CompiledModel> {
  const { index } = opened;
  const compiled = compiledHere(index);
  const { files } = compiled;
  const reason = notCompiledHere(index, files);
  if (reason !== undefined) return skipped(reason);
  progress('Compiling the model');
  const request = {
    files: files.map(({ path, text }) => ({ fileName: path.slice(opened.root.length), content: text })),
    hasScripts: files.some(({ language }) => language === 'script'),
  };
  const result = await compile(request, signal);
  if (result.kind === 'skipped') return skipped(result.reason);
  const foreign = foreignName(result.refusals);
  if (foreign !== undefined) return skipped(`A script uses \`${foreign}\`, which is not in this folder.`);
  const model = { index, fileNamed: (name: string) => index.file(`${opened.root}${name}`) };
  const refusals = withoutOmitted(result.refusals, index, compiled);
  const errors = withoutFollowing(refusals, (name) => index.entity(name) !== undefined);
  const problems = placedRefusals(errors, model, () =>
    [...index.files()].some((file) => fileProblems(file, index).some(({ severity }) => severity === 'error')),
  );
  return {
    verdict: {
      state: refusals.length === 0 ? 'accepted' : 'refused',
      ...(compiled.omitted === 0 ? {} : { omitted: compiled.omitted }),
    },
    problemsIn: (file, own) => uncoveredRefusals(problems, file, index, own),
  };
}

function skipped(reason: string): CompiledModel {
  return { verdict: { state: 'skipped', reason }, problemsIn: () => [] };
}
