import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { describe, expect, it } from 'vitest'
import { sectionOf, WALKS_TABLE } from '../measures/tables'
import { linesThatRan } from '../measures/walks/lines-that-ran'
import { measureWalks } from '../measures/walks/walks'

const walks = measureWalks()

describe.each(walks)('the walk "$walk.name"', ({ walk, own, ownFiles }) => {
  it('is as short as it may be', () => {
    const files = ownFiles.map(({ path, lines }) => `${String(lines.length).padStart(4)}  ${path}:${lines[0]}`)
    expect(own.files, files.join('\n')).toBeLessThanOrEqual(walk.atMost.files)
    expect(own.lines, files.join('\n')).toBeLessThanOrEqual(walk.atMost.lines)
  })
})

it('docs/architecture.md has the walks as they are measured', () => {
  const page = readFileSync(new URL('../architecture.md', import.meta.url), 'utf8')
  expect(page, 'docs/architecture.md is out of date: run `npm run generate`').toContain(sectionOf(WALKS_TABLE))
})

it('the walks go to their ends: a lobby that waits, a frame of a feed, lobbies that see their server run', () => {
  const ends = ['lobby/decide', 'sse/frame', 'consequences/server-moved']
  const paths = walks.slice(1).map(({ ownFiles }) => ownFiles.map(({ path }) => path))
  expect(paths).toEqual(ends.map((end) => expect.arrayContaining([expect.stringMatching(`/src/.*${end}\\.ts$`)])))
})

it('a walk has the lines that ran, as the source has them', () => {
  const path = 'packages/core/src/use-cases/lobbies/cancel-matchmaking.ts'
  const [file] = walks.flatMap(({ ownFiles }) => ownFiles.filter((ran) => ran.path === path))
  const source = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').split('\n')
  const ran = (file?.lines ?? []).map((line) => source[line - 1])
  expect([ran.at(0), ran.at(-1)]).toEqual([expect.stringContaining('function cancelMatchmaking('), '}'])
})

it('a statement behind one that did not run did not run, though V8 counts it', () => {
  const script = ['function f(a) {', 'if (a) return', 'const b = a ? 1 : 2', 'return b', '}'].join('\n')
  const dead = script.indexOf('const b')
  const ranges = [
    { startOffset: 0, endOffset: script.length, count: 1 },
    { startOffset: dead, endOffset: script.indexOf('\nreturn b'), count: 0 },
  ]
  const functions = [{ functionName: 'f', isBlockCoverage: true, ranges }]
  // The map says that each line of the script is the same line of the source.
  const map = new SourceMap({
    ...{ version: 3, file: 'f.js', sources: ['f.ts'], sourcesContent: [], names: [], sourceRoot: '' },
    mappings: 'AAAA;AACA;AACA;AACA;AACA',
  })
  expect(linesThatRan(script, functions, map)).toEqual([1, 2, 5])
})
