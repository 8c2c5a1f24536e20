import '#language-server/engine/realm/lock-down.ts';
import '#language-server/engine/realm/parsed-imports.ts';
import { serve } from '#language-server/engine/realm/serve.ts';
import { createCompilations } from './compilations.ts';
import { generateSql } from './sql.ts';
import { visibleMeta } from './access-policy.ts';
import type { CompileResult, EngineRequest, EngineResponse, ModelFile, SqlResult } from './types.ts';

/** The engine's realm: models are compiled and queries made into SQL where no object of the host exists. */
const compilations = createCompilations();
const models = new Map<number, readonly ModelFile[]>();
/** Models kept by number; older ones are sent again when they are asked for. */
const keptModels = 16;

serve(async (question) => respond(JSON.parse(question) as EngineRequest));

async function respond(request: EngineRequest): Promise<EngineResponse> {
  const files = request.files ?? models.get(request.model);
  if (!files) return { kind: 'unknownModel' };
  keep(request.model, files);
  return { kind: 'answer', value: await answer(request, files) };
}

function keep(model: number, files: readonly ModelFile[]): void {
  models.delete(model);
  models.set(model, files);
  const [oldest] = models.keys();
  if (models.size > keptModels && oldest !== undefined) models.delete(oldest);
}

async function answer(request: EngineRequest, files: readonly ModelFile[]): Promise<CompileResult | SqlResult> {
  const compilation = await compilations.get(files, request.securityContext);
  if (request.kind === 'sql') {
    return compilation.ok
      ? generateSql(compilation, request.query, request.securityContext)
      : { ok: false, type: 'CompileError', error: compilation.errorText };
  }
  if (!compilation.ok) return compilation;
  const meta = request.securityContext ? visibleMeta(compilation, request.securityContext) : compilation.meta;
  const views = meta.filter((cube) => cube.type === 'view').length;
  return { ok: true, cubes: meta.length - views, views, meta, compilerId: compilation.compilers.compilerId };
}
