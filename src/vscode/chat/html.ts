/** What the page of the chat is made of; addresses as the webview reaches them. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
  /** VS Code's source for local resources. */
  readonly cspSource: string;
  /** Unguessable, new for each page. */
  readonly nonce: string;
}

/**
 * The chat's page. Nothing inline runs, nothing is evaluated, nothing is fetched from elsewhere; the nonce lets the script
 * load its own later parts.
 */
export function chatPage({ script, style, cspSource, nonce }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(cspSource, nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Chat</title>
</head>
<body>
<div id="chat"></div>
<script type="module" nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}

/** The content security policy of the chat's page. */
function contentPolicy(cspSource: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
  ].join('; ');
}
