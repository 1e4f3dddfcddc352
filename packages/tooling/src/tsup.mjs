// JavaScript, because the configurations of packages import it by name, and Node reads it as it is.
import { defineConfig } from 'tsup'

export const library = (options = {}) =>
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
