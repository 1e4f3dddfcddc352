import type { defineConfig, Options } from 'tsup'

/** Options of tsup. `splitting: undefined` leaves the choice to tsup, which splits only ESM output. */
type LibraryOptions = Omit<Options, 'splitting'> & { readonly splitting?: boolean | undefined }

/** Returns the build configuration of a library of the workspace: ESM, CommonJS and declarations. */
export declare const library: (options?: LibraryOptions) => ReturnType<typeof defineConfig>
