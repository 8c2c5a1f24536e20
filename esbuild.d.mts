import type { BuildOptions, Plugin } from 'esbuild';

/** One file of `dist/`. */
export interface Output {
  readonly path: string;
  readonly bytes: number;
}

export const bundles: Readonly<Record<string, { readonly entry: string }>>;
/** Packages of Vega's transforms that the bundle of charts leaves out. */
export const unusedTransforms: readonly string[];
/** Options for code in a realm without Node. */
export const inRealm: BuildOptions & { readonly alias: Readonly<Record<string, string>> };
export function build(options?: { readonly production?: boolean; readonly meta?: boolean }): Promise<readonly Output[]>;
/** Returns the esbuild options of one bundle, for a separate build. */
export function bundleOptions(
  name: string,
  options?: { readonly production?: boolean },
): BuildOptions & { readonly metafile: true };
/** Loads modules from other bundles, by name: `#folder/file.ts` → bundle. Throws in `setup` if one does not exist. */
export function lazily(modules: Readonly<Record<string, string>>): Plugin;
