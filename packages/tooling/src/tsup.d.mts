import type { defineConfig, Options } from 'tsup'

/** How every library of the workspace is built: ESM, CommonJS and declarations. */
export declare const library: (options?: Options) => ReturnType<typeof defineConfig>
