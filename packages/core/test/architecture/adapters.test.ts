import { describe, expect, it } from 'vitest'
import { manifestOf, packageNames, sourceFiles } from './source-files'

/** What two adapters have in common stands in a kit, so that neither needs the other. */
const isKit = (name: string) => /-kit(\/|$)/.test(name)
const isAdapter = (name: string) => /^(storage|orchestrator|build-store|payments)-/.test(name) && !isKit(name)
const adapters = packageNames().filter(isAdapter)
const short = (specifier: string) => specifier.replace('@matchyard/', '')

describe('adapters', () => {
  it('are found', () => {
    expect(adapters).toEqual(expect.arrayContaining(['storage-memory', 'storage-sqlite']))
  })

  it.each(adapters)('%s imports no other adapter', (name) => {
    const imported = sourceFiles(name).flatMap((file) => file.imports.map(short).filter(isAdapter))
    expect(imported).toEqual([])
    expect(
      Object.keys(manifestOf(name).dependencies ?? {})
        .map(short)
        .filter(isAdapter),
    ).toEqual([])
  })

  it('are never imported by core', () => {
    expect(sourceFiles('core').flatMap((file) => file.imports.map(short).filter(isAdapter))).toEqual([])
  })
})
