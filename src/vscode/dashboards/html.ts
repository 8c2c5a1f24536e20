/** What the page of a layout preview is made of; addresses as the webview reaches them. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
  /** VS Code's source for local resources. */
  readonly cspSource: string;
  /** Unguessable, new for each page. */
  readonly nonce: string;
}

/** The page of a layout preview: nothing inline runs, nothing is evaluated, nothing is fetched from elsewhere. */
export function dashboardPage({ script, style, cspSource, nonce }: PageParts): string {
  const policy = ["default-src 'none'", `script-src 'nonce-${nonce}'`, `style-src ${cspSource}`].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Layout Preview</title>
</head>
<body>
<div id="dashboard"></div>
<script type="module" nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}
