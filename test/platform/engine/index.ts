import { readFile } from 'node:fs/promises';
import { createSandbox, type Sandbox } from '#language-server/engine/sandbox/sandbox.ts';
import { engineBundle } from './bundle.ts';
import type {
  CompileResult,
  EngineRequest,
  EngineResponse,
  ModelFile,
  SecurityContext,
  SemanticQuery,
  SqlResult,
} from './types.ts';

export type * from './types.ts';

export interface Engine {
  /**
   * Compiles a data model. Compiling the same files again is free (the sandbox remembers the last models). With a security
   * context, the metadata holds only what the model's access policies let that context see.
   */
  compile(files: readonly ModelFile[], securityContext?: SecurityContext): Promise<CompileResult>;
  /** The SQL of one semantic query, access policies applied for the security context. */
  sql(files: readonly ModelFile[], query: SemanticQuery, securityContext?: SecurityContext): Promise<SqlResult>;
  /** Ends the sandbox; requests under way reject. */
  close(): Promise<void>;
}

/** One engine: a sandbox, started at the first request, that lives until `close` and serves requests in order. */
export function createEngine(): Engine {
  let sandbox: Promise<Sandbox> | undefined;
  let closed = false;
  // The same list of files is the same model: callers keep it for as long as the model does not change.
  const models = new WeakMap<readonly ModelFile[], number>();
  let next = 0;

  const ask = async (question: Question, files: readonly ModelFile[]): Promise<CompileResult | SqlResult> => {
    if (closed) throw new Error('The engine is closed.');
    sandbox ??= open();
    const opened = await sandbox;
    if (closed) throw new Error('The engine stopped.');
    const known = models.get(files);
    const model = known ?? next++;
    models.set(files, model);
    const send = async (attached: object): Promise<EngineResponse> =>
      responseIn(await opened.ask(JSON.stringify({ ...question, ...attached, model })));
    const response = await send(known === undefined ? { files } : {});
    const answer = response.kind === 'unknownModel' ? await send({ files }) : response;
    if (answer.kind === 'unknownModel') throw new Error('The engine forgot a model at once.');
    return answer.value;
  };
  return {
    compile: async (files, securityContext) =>
      (await ask({ kind: 'compile', securityContext }, files)) as CompileResult,
    sql: async (files, query, securityContext) =>
      (await ask({ kind: 'sql', query, securityContext }, files)) as SqlResult,
    close: async () => {
      closed = true;
      (await sandbox)?.close();
    },
  };
}

type Question<T = EngineRequest> = T extends unknown ? Omit<T, 'model' | 'files'> : never;

async function open(): Promise<Sandbox> {
  const { program, bundle, templates } = await engineBundle();
  const [code, library] = await Promise.all([readFile(bundle, 'utf8'), readFile(templates, 'base64')]);
  const scripts = [`globalThis.modelbenchTemplates = ${JSON.stringify(library)};`, code];
  return createSandbox({ program, scripts: () => scripts, limitMs: 120_000, idleMs: 10 * 60_000, heapMb: 2048 });
}

function responseIn(answer: string): EngineResponse {
  const said = JSON.parse(answer) as { readonly ok: boolean; readonly value: EngineResponse; readonly reason?: string };
  if (!said.ok) throw new Error(said.reason ?? 'The engine failed.');
  return said.value;
}
