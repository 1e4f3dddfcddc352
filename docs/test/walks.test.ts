import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { measureWalks } from '../measures/walks/walks'

const walks = measureWalks()

describe.each(walks)('the walk "$walk.name"', ({ walk, own }) => {
  it('is as short as it may be', () => {
    expect(own.files).toBeLessThanOrEqual(walk.atMost.files)
    expect(own.lines).toBeLessThanOrEqual(walk.atMost.lines)
  })
})

it('the walks go to their ends: a lobby that waits, a frame of a feed, lobbies that see their server run', () => {
  const ends = ['lobby/decide', 'sse/frame', 'consequences/server-moved']
  const paths = walks.slice(1).map(({ ownFiles }) => ownFiles.map(({ path }) => path))
  expect(paths).toEqual(ends.map((end) => expect.arrayContaining([expect.stringMatching(`/src/.*${end}\\.ts$`)])))
})

it('a walk has the lines of the functions that ran, as the source has them', () => {
  const path = 'packages/core/src/use-cases/lobbies/cancel-matchmaking.ts'
  const [file] = walks.flatMap(({ ownFiles }) => ownFiles.filter((ran) => ran.path === path))
  const source = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').split('\n')
  const ran = (file?.lines ?? []).map((line) => source[line - 1])
  expect([ran.at(0), ran.at(-1)]).toEqual([expect.stringContaining('function cancelMatchmaking('), '}'])
})
