/** One file of `dist/`. */
export interface Output {
  readonly path: string;
  readonly bytes: number;
}

export const bundles: Readonly<Record<string, { readonly entry: string }>>;
export function build(options?: { readonly production?: boolean; readonly meta?: boolean }): Promise<readonly Output[]>;
