import type { BuildOptions } from 'esbuild';

/** One file of `dist/`. */
export interface Output {
  readonly path: string;
  readonly bytes: number;
}

export const bundles: Readonly<Record<string, { readonly entry: string }>>;
/** The options of what runs in a realm where there is no Node. */
export const inRealm: BuildOptions & { readonly alias: Readonly<Record<string, string>> };
export function build(options?: { readonly production?: boolean; readonly meta?: boolean }): Promise<readonly Output[]>;
/** The esbuild options of one bundle, for a build of its own. */
export function bundleOptions(
  name: string,
  options?: { readonly production?: boolean },
): BuildOptions & { readonly metafile: true };
