import type { Locator } from 'playwright-core';

/** Opens the context menu of an element; resolves to what VS Code then reads: the context of the element. */
export async function nameInMenu(element: Locator): Promise<unknown> {
  const page = element.page();
  const asked = page.evaluate(
    () =>
      new Promise<string | null>((resolve) => {
        const told = ({ target }: Event): void => {
          const own = target instanceof Element ? target.closest('[data-vscode-context]') : null;
          resolve(own?.getAttribute('data-vscode-context') ?? null);
        };
        window.addEventListener('contextmenu', told, { once: true });
      }),
  );
  await element.dispatchEvent('contextmenu');
  return JSON.parse((await asked) ?? 'null');
}
