import * as raw from 'vscode';

/** Shows our own Markdown in the hovers of files; text from outside is escaped (`markdown.ts`). */
export function registerHover(
  selector: raw.DocumentSelector,
  hoverOf: (document: raw.TextDocument, position: raw.Position) => Promise<raw.MarkdownString | undefined>,
): raw.Disposable {
  return raw.languages.registerHoverProvider(selector, {
    provideHover: async (document, position) => {
      const shown = await hoverOf(document, position);
      return shown && new raw.Hover(shown);
    },
  });
}
