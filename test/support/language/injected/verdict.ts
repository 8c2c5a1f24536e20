import { type MatrixEngine, matrixEngine } from '../matrix/engine.ts';
import { filesIn } from '../raw.ts';
import { verdictsOn } from './run-mistakes.ts';

let engine: Promise<MatrixEngine> | undefined;

/** Resolves to whether the engine refuses a model, whose files are one text (see `filesIn`), and whether our checks do. */
export async function verdict(model: string): Promise<{ readonly engine: boolean; readonly ours: boolean }> {
  engine ??= matrixEngine();
  const { refused, ours } = await verdictsOn(await engine, Object.fromEntries(filesIn(model)));
  return { engine: refused.length > 0, ours: ours.length > 0 };
}
