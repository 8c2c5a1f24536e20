import { runTests } from './runner.ts';

/** What VS Code calls inside the extension host; it fails the run when a test failed. */
export async function run(): Promise<void> {
  const { failed } = await runTests((line) => console.log(line));
  if (failed > 0) throw new Error(`${failed} tests failed`);
}
