// JavaScript, because the configurations of packages import it by name, and Node reads it as it is.
import { defineConfig } from 'tsup'

const severalEntries = ({ entry = {} }) => Object.keys(entry).length > 1

export const library = (options = {}) =>
  defineConfig({
    entry: ['src/index.ts'],
    format: ['esm', 'cjs'],
    dts: true,
    clean: true,
    sourcemap: true,
    target: 'node20',
    // What two entries share is one module, in both formats: else an error of one would be no instance of the other's class.
    splitting: severalEntries(options),
    ...options,
  })
