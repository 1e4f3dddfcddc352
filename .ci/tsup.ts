import { defineConfig, type Options } from 'tsup'

/** How every library of the workspace is built: ESM, CommonJS and declarations. */
export const library = (options: Options = {}) =>
  defineConfig({
    entry: ['src/index.ts'],
    format: ['esm', 'cjs'],
    dts: true,
    clean: true,
    sourcemap: true,
    target: 'node20',
    splitting: false,
    ...options,
  })
