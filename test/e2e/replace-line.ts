import { untilDone } from './until.ts';
import type { Workbench } from './workbench.ts';

/**
 * Types another text into the line that begins so (its indentation stays). It is looked for until the cursor is in it: where it
 * stands changes while the editor takes over what was saved, and another editor may still be in its place.
 */
export async function replaceLine(workbench: Workbench, start: string, text: string): Promise<void> {
  const isWanted = (line: string): boolean => line.trimStart().startsWith(start);
  await untilDone(async (timeout) => {
    await workbench.focusEditor(timeout);
    // VS Code scrolls a tab that comes back to where it was, after a key as well.
    await workbench.page.keyboard.press('Control+Home');
    const line = (await workbench.editorText()).split('\n').findIndex((each) => isWanted(each)) + 1;
    if (line === 0) throw new Error(`no line begins with ${start}`);
    await workbench.goToEndOf(line);
    const atCursor = await lineAtCursor(workbench);
    if (!isWanted(atCursor)) throw new Error(`the cursor is in “${atCursor}”`);
  });
  await workbench.page.keyboard.press('Shift+Home');
  await workbench.page.keyboard.insertText(text);
}

/** The text of the line with the cursor, in the editor that has the focus. */
async function lineAtCursor({ page }: Workbench): Promise<string> {
  const editor = page.locator('.editor-instance .monaco-editor.focused').first();
  return editor.evaluate((element) => {
    const topOf = (each: Element | null): number | undefined => each?.getBoundingClientRect().top;
    const cursor = topOf(element.querySelector('.cursors-layer .cursor'));
    const line = [...element.querySelectorAll('.view-line')].find((each) => topOf(each) === cursor);
    return line?.textContent?.replaceAll('\u00a0', ' ') ?? '';
  });
}
