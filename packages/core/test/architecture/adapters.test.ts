import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRelative, manifestOf, PACKAGES, packageNames, type SourceFile, sourceFiles, target } from './source-files'

/** Packages that hold all adapters of one port, each in its own folder. */
const TOGETHER = ['build-store', 'orchestrator', 'payments']
/** Folders with code that all adapters of a port share, or that their tests need; they are not adapters. */
const SHARED = ['kit', 'testing']

const short = (specifier: string) => specifier.replace('@matchyard/', '')
const isAdapter = (name: string) => {
  const [first = '', second = ''] = name.split('/')
  return /^storage-/.test(first) || (TOGETHER.includes(first) && !SHARED.includes(second))
}

const alone = packageNames().filter((name) => /^storage-/.test(name))
const files = new Map([...alone, ...TOGETHER].map((name) => [name, sourceFiles(name)]))
const together = TOGETHER.flatMap((name) =>
  readdirSync(join(PACKAGES, name, 'src'))
    .filter((folder) => !SHARED.includes(folder))
    .map((folder) => [name, folder] as const),
)

const importsOfAdapters = (files: readonly SourceFile[]) =>
  files.flatMap((file) => file.imports.map(short).filter(isAdapter))

/** Returns the imports that lead from the folder of one adapter into the folder of another. */
const leaving = (files: readonly SourceFile[], folder: string) =>
  files
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .flatMap((file) => file.imports.filter(isRelative).map((specifier) => target(file, specifier)))
    .filter((to) => ![folder, ...SHARED].includes(to.split('/')[0] ?? ''))

describe('adapters', () => {
  it('are found', () => {
    expect(alone).toEqual(expect.arrayContaining(['storage-memory', 'storage-sqlite']))
    expect(together.map((names) => names.join('/'))).toEqual([
      'build-store/fs',
      'build-store/s3',
      'orchestrator/agones',
      'orchestrator/docker',
      'orchestrator/process',
      'payments/manual',
    ])
  })

  it.each([...alone, ...TOGETHER])('%s imports no other adapter', (name) => {
    expect(importsOfAdapters(files.get(name) ?? [])).toEqual([])
    expect(
      Object.keys(manifestOf(name).dependencies ?? {})
        .map(short)
        .filter(isAdapter),
    ).toEqual([])
  })

  it.each(together)('%s/%s imports no neighbour', (name, folder) => {
    expect(leaving(files.get(name) ?? [], folder)).toEqual([])
  })

  it('are never imported by core', () => {
    expect(importsOfAdapters(sourceFiles('core'))).toEqual([])
  })

  it('are looked at closely enough to see a neighbour', () => {
    const file = { path: 'process/launch.ts', imports: ['../docker/engine', '../kit/index'] } as unknown as SourceFile
    expect(leaving([file], 'process')).toEqual(['docker/engine'])
  })
})
