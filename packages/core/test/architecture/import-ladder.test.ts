import { describe, expect, it } from 'vitest'
import { isRelative, type SourceFile, sourceFiles, target } from './source-files'

/**
 * Lowest first: a file imports from its own rung's folder or from a lower rung. The reasons for where `match` and the three
 * files at the top stand are in docs/adr/0002-import-ladder.md.
 */
const LADDER: readonly (readonly string[])[] = [
  ['shared', 'errors'],
  ['catalog'],
  ['account', 'project'],
  ['access', 'billing'],
  ['build'],
  ['server'],
  ['queue'],
  ['lobby', 'match'],
  ['ports'],
  ['use-cases'],
  ['worker'],
  ['facade'],
  ['matchyard'],
  ['index'],
]

/** `errors` names codes that `shared/decision` speaks of, and throws what it decides: two folders, one thing. */
const ONE_RUNG_ONE_THING = ['shared', 'errors']

const roomOf = (path: string): string => (path.split('/')[0] ?? '').replace(/\.ts$/, '')
const rungOf = (room: string): number => LADDER.findIndex((rung) => rung.includes(room))

function mayImport(from: string, to: string): boolean {
  if (from === to || (ONE_RUNG_ONE_THING.includes(from) && ONE_RUNG_ONE_THING.includes(to))) return true
  return rungOf(to) < rungOf(from)
}

const wrongImports = (file: SourceFile): string[] =>
  file.imports
    .filter(isRelative)
    .map((specifier) => target(file, specifier))
    .filter((to) => to.startsWith('..') || !mayImport(roomOf(file.path), roomOf(to)))
    .map((to) => `${file.path} imports ${to}`)

const files = sourceFiles('core')

describe('the import ladder of core', () => {
  it('has a rung for every folder and file of src', () => {
    const rooms = new Set(files.map((file) => roomOf(file.path)))
    expect([...rooms].filter((room) => rungOf(room) === -1)).toEqual([])
    expect(LADDER.flat().filter((room) => !rooms.has(room))).toEqual([])
  })

  it('is only ever climbed down', () => {
    expect(files.flatMap(wrongImports)).toEqual([])
  })

  it('is looked at closely enough to see a wrong import', () => {
    const climbing = { path: 'lobby/decide.ts', imports: ['../use-cases/plan', './evolve', '../shared/json'] }
    expect(wrongImports({ ...(files[0] as SourceFile), ...climbing })).toEqual([
      'lobby/decide.ts imports use-cases/plan',
    ])
  })
})
