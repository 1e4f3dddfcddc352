import { describe, expect, it } from 'vitest'
import { isRelative, type SourceFile, sourceFiles, target } from './source-files'

/**
 * Folders from the lowest rung to the highest: a file imports from the folder of its own rung, or from lower rungs.
 * docs/adr/0002-import-ladder.md and docs/adr/0067-rules-go-home.md give the reasons for the places of `match` and of the three files at
 * the top.
 */
const LADDER: readonly (readonly string[])[] = [
  ['shared'],
  ['errors'],
  ['catalog'],
  ['account', 'project'],
  ['access', 'billing'],
  ['build', 'machine', 'member'],
  ['server'],
  ['queue'],
  ['ban', 'problem', 'rating'],
  ['lobby'],
  ['match'],
  ['audit', 'consumer', 'webhook'],
  ['ports'],
  ['node'],
  ['tokens'],
  ['reads'],
  ['commit'],
  ['agent'],
  ['use-cases', 'streams', 'director', 'runtime'],
  ['problems'],
  ['worker'],
  ['operations'],
  ['setup'],
  ['matchyard'],
  ['index', 'entries'],
]

/** Rung whose folders may not import each other: code that two of them need stands in the domain, or in `commit`, `reads` or `tokens`. */
const ROOMS_APART = 'use-cases'

const folderOf = (path: string): string => (path.split('/')[0] ?? '').replace(/\.ts$/, '')
const roomOf = (path: string): string => {
  const [folder = '', room = ''] = path.split('/')
  return folder === ROOMS_APART ? `${folder}/${room}` : folderOf(path)
}
const rungOf = (room: string): number => LADDER.findIndex((rung) => rung.includes(folderOf(room)))

function mayImport(from: string, to: string): boolean {
  return from === to || rungOf(to) < rungOf(from)
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
    const rooms = new Set(files.map((file) => folderOf(file.path)))
    expect([...rooms].filter((room) => rungOf(room) === -1)).toEqual([])
    expect(LADDER.flat().filter((room) => !rooms.has(room))).toEqual([])
  })

  it('is only ever climbed down', () => {
    expect(files.flatMap(wrongImports)).toEqual([])
  })

  it('is looked at closely enough to see a wrong import', () => {
    const wrong = (path: string, ...imports: string[]) => wrongImports({ ...(files[0] as SourceFile), path, imports })
    expect(wrong('lobby/decide.ts', '../commit/draft', './evolve', '../shared/json')).toEqual([
      'lobby/decide.ts imports commit/draft',
    ])
    expect(wrong('use-cases/lobbies/join-lobby.ts', '../servers/create-server', './invite')).toEqual([
      'use-cases/lobbies/join-lobby.ts imports use-cases/servers/create-server',
    ])
    expect(wrong('director/director.ts', '../runtime/reconcile')).toEqual([
      'director/director.ts imports runtime/reconcile',
    ])
  })
})
