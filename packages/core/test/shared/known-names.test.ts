import { describe, expect, it } from 'vitest'
import { MAX_HINTS, nearestName, unknownFields } from '../../src/shared/known-names'

const KNOWN = ['queue_id', 'max_players', 'is_private', 'ttl_seconds', 'lobby_id']

describe('the nearest known name', () => {
  it.each([
    ['max_player', 'max_players'],
    ['queueID', 'queue_id'],
    ['ttl', 'ttl_seconds'],
    ['private', 'is_private'],
    ['maxPlayersAllowed', 'max_players'],
    ['quality', undefined],
    ['x', undefined],
  ])('of %s is %s', (name, near) => {
    expect(nearestName(name, KNOWN)).toBe(near)
  })

  it('is that which comes first where two are as near', () => {
    expect(nearestName('abd', ['abc', 'abe'])).toBe('abc')
  })

  it('is not looked for where a name is longer than 64 characters', () => {
    const long = 'm'.repeat(60)
    expect(nearestName(`${long}xxxx`, [long])).toBe(long)
    expect(nearestName(`${long}xxxxx`, [long])).toBeUndefined()
  })

  it('is looked for of the first eight names that nobody knows, and of no others', () => {
    const given = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`max_player${n}`, 1]))
    const hints = unknownFields(given, KNOWN).map(({ message }) => message.includes('did you mean'))
    expect(hints).toEqual([...Array(MAX_HINTS).fill(true), ...Array(20 - MAX_HINTS).fill(false)])
    expect(MAX_HINTS).toBe(8)
  })
})
