import { describe, expect, it } from 'vitest'
import { cryptoRandom, nodePlatform, ulidIds } from '../src/index'

describe('ulidIds', () => {
  it('makes a prefix and a ULID', () => {
    const { ids } = nodePlatform({ secret: 'thirty-two characters of secret!' })
    expect(ids.next('lob')).toMatch(/^lob_[0-9A-HJKMNP-TV-Z]{26}$/)
  })

  it('ascends within one millisecond and across prefixes, without a duplicate', () => {
    const ids = ulidIds({ now: () => 1_700_000_000_000 })
    const made = Array.from({ length: 5000 }, (_, i) => ids.next(i % 2 === 0 ? 'acc' : 'srv').slice(4))
    expect([...made].sort()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
  })

  it('ascends when the clock steps back', () => {
    let now = 2000
    const ids = ulidIds({ now: () => now })
    const first = ids.next('acc')
    now = 1000
    expect(ids.next('acc') > first).toBe(true)
  })

  it('draws what comes after the count of the millisecond anew for each: the next one cannot be guessed', () => {
    const ids = ulidIds({ now: () => 1_700_000_000_000 })
    const chances = Array.from({ length: 2_000 }, () => ids.next('lob').slice(-13))
    expect(new Set(chances.map((chance) => chance.slice(0, 8))).size).toBe(chances.length)
    // Each character takes each of its 32 values: no part of it stands still.
    for (let place = 0; place < 13; place++) expect(new Set(chances.map((chance) => chance[place])).size).toBe(32)
  })

  it('ascends past as many as one millisecond has room for', () => {
    const ids = ulidIds({ now: () => 1_000 })
    const made = Array.from({ length: 40_000 }, () => ids.next('lob'))
    expect(made.every((id, at) => at === 0 || id > (made[at - 1] ?? ''))).toBe(true)
  })

  it('differs between two processes at one instant', () => {
    const clock = { now: () => 1 }
    expect(ulidIds(clock).next('acc')).not.toBe(ulidIds(clock).next('acc'))
  })
})

describe('cryptoRandom', () => {
  it('stays within 0..below-1 and reaches both ends', () => {
    const random = cryptoRandom()
    const drawn = new Set(Array.from({ length: 2000 }, () => random.int(3)))
    expect([...drawn].sort()).toEqual([0, 1, 2])
    expect(random.int(1)).toBe(0)
  })
})
