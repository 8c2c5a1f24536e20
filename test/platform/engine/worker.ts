import { parentPort } from 'node:worker_threads';
import { createCompilations } from './compilations.ts';
import { generateSql } from './sql.ts';
import { visibleMeta } from './access-policy.ts';
import type { CompileResult, EngineRequest, EngineResponse, ModelFile, SqlResult } from './types.ts';

/** The engine's thread: one request after the other, so that compilations never share half-built state. */
const port = parentPort;
if (!port) throw new Error('This module is a worker: it is started by createEngine().');

const compilations = createCompilations();
const models = new Map<number, readonly ModelFile[]>();
/** Models kept by number; older ones are sent again when they are asked for. */
const keptModels = 16;
let tail: Promise<void> = Promise.resolve();

port.on('message', (request: EngineRequest) => {
  tail = tail.then(async () => {
    port.postMessage(await respond(request));
  });
});

async function respond(request: EngineRequest): Promise<EngineResponse> {
  const { id } = request;
  const files = request.files ?? models.get(request.model);
  if (!files) return { id, kind: 'unknownModel' };
  keep(request.model, files);
  try {
    return { id, kind: 'answer', value: toPlain(await answer(request, files)) };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, kind: 'failure', message };
  }
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

/** Metadata may hold functions (link parameters, custom `meta` in JavaScript models): only JSON crosses the thread. */
function toPlain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
