import { contentPolicy } from '#shell/content-policy.ts';

/** Resources that a page may load besides its script and style; `workers` are created from text inside the page. */
export type PageResource = 'fonts' | 'images' | 'workers';

/** The content of a webview's page, with addresses as the webview reaches them. */
export interface PageOptions {
  readonly title: string;
  /** Id of the element that the script draws into. */
  readonly root: string;
  readonly script: string;
  readonly style: string;
  readonly loads: readonly PageResource[];
  /** VS Code's source for local resources. */
  readonly cspSource: string;
  /** Unguessable, and new for each page. */
  readonly nonce: string;
}

/**
 * Returns the HTML of a webview's page. No inline code runs, nothing is evaluated or fetched from elsewhere; the nonce lets the
 * script load its own chunks.
 */
export function webviewPage(parts: PageOptions): string {
  const { title, root, script, style, nonce } = parts;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(parts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>${title}</title>
</head>
<body>
<div id="${root}"></div>
<script type="module" nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}

function policyOf({ loads, cspSource, nonce }: PageOptions): string {
  return contentPolicy({
    'script-src': `'nonce-${nonce}'`,
    'style-src': cspSource,
    ...(loads.includes('fonts') ? { 'font-src': cspSource } : {}),
    ...(loads.includes('images') ? { 'img-src': `${cspSource} data:` } : {}),
    ...(loads.includes('workers') ? { 'worker-src': 'blob:' } : {}),
  });
}

/** The extension's pages, by the name of their bundle in `dist/webview`. */
export const pages = {
  chat: { title: 'Chat', root: 'chat', loads: ['fonts', 'images', 'workers'] },
  results: { title: 'Query Result', root: 'results', loads: ['fonts', 'images'] },
  dashboard: { title: 'Layout Preview', root: 'dashboard', loads: [] },
  log: { title: 'Log', root: 'log', loads: [] },
  playground: { title: 'Playground', root: 'playground', loads: ['images', 'workers'] },
  review: { title: 'Review', root: 'review', loads: [] },
  graph: { title: 'Join Graph', root: 'graph', loads: ['images'] },
  form: { title: 'Form', root: 'form', loads: [] },
  list: { title: 'List', root: 'list', loads: [] },
} as const satisfies Readonly<Record<string, Pick<PageOptions, 'title' | 'root' | 'loads'>>>;

export type PageName = keyof typeof pages;
