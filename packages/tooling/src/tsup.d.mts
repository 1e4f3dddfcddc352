import type { defineConfig, Options } from 'tsup'

/** As tsup takes them; `splitting: undefined` is tsup's own choice, which is ESM alone. */
type LibraryOptions = Omit<Options, 'splitting'> & { readonly splitting?: boolean | undefined }

/** How every library of the workspace is built: ESM, CommonJS and declarations. */
export declare const library: (options?: LibraryOptions) => ReturnType<typeof defineConfig>
