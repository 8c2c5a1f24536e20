/** The layers of `src/` and what each may import: the one source of the lint rules and of the test that proves them. */
export interface Layer {
  /** Other layers it may import. */
  readonly imports: readonly string[];
  /** Whether it may use `node:` modules. */
  readonly node?: true;
}

export const layers = {
  base: { imports: [] },
  protocol: { imports: ['base'] },
  api: { imports: ['base'] },
  model: { imports: ['base'] },
  sync: { imports: ['base', 'api'] },
  chat: { imports: ['base', 'api'] },
  node: { imports: ['base', 'api', 'sync', 'chat'], node: true },
  features: { imports: ['base', 'protocol', 'api', 'model', 'sync', 'chat'] },
  vscode: { imports: ['base', 'protocol', 'api', 'model', 'sync', 'chat', 'node', 'features'], node: true },
  lsp: { imports: ['base', 'protocol', 'model'], node: true },
  webview: { imports: ['base', 'protocol'] },
} as const satisfies Record<string, Layer>;

export type LayerName = keyof typeof layers;
export const layerNames = Object.keys(layers) as readonly LayerName[];

/** Packages that only one layer may import, by package-name prefix. */
export const reserved: Readonly<Record<string, readonly LayerName[]>> = {
  vscode: ['vscode'],
  ky: ['api'],
  'vscode-languageclient': ['vscode'],
  'vscode-languageserver': ['lsp'],
  preact: ['webview'],
  yaml: ['model', 'features'],
};
