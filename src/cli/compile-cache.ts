import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { stateFolder } from './state-folder.ts';

/**
 * Lets Node keep what it compiles of this program, which is half of the time that a start takes. The folder is the user's own: code
 * in the folder of temporary files that Node would use could come from another user. Where nothing can be written there, Node
 * compiles each time.
 */
export function keepCompiled(): void {
  const state = stateFolder(process.env);
  // Node 22.1 is the first that has it.
  if (state !== undefined) (enableCompileCache as typeof enableCompileCache | undefined)?.(join(state, 'compiled'));
}
