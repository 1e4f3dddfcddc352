import { expect, test } from 'vitest'
import { faultDetails, whyNever, whyTooLarge } from '../../src/queue/party-fault'

test('a required field is named with what it must hold, the player and the value', () => {
  const fault = { rule: 'difference', field: 'level', playerId: 'ann', wants: 'a number', values: ['7'] }
  expect(whyNever(fault)).toBe('the rule difference requires a number in state.level, but player "ann" has "7"')
  expect(whyNever({ ...fault, values: [undefined] })).toMatch(/but player "ann" has no value$/)
  expect(faultDetails(fault)).toEqual({ rule: 'difference', field: 'level', values: ['7'], player: 'ann' })
})

test('values that are too far apart are told with the bound', () => {
  const fault = { rule: 'difference', field: 'mmr', values: [1, 50], bound: 10 }
  expect(whyNever(fault)).toBe(
    'its own players break the rule difference: state.mmr is 1, 50, and the limit is 10 after all relaxation steps',
  )
})

test('many and long values are cut', () => {
  const values = Array.from({ length: 100 }, () => 'x'.repeat(10_000))
  const fault = { rule: 'equals', field: 'mode', values }
  expect(whyNever(fault).length).toBeLessThan(1_400)
  expect(whyNever(fault)).toMatch(/ and 92 more$/)
  expect(faultDetails(fault)).toEqual({ rule: 'equals', field: 'mode' })
})

test('private values are neither in the sentence nor in the details', () => {
  const fault = { rule: 'avoid', field: 'avoid' }
  expect(whyNever(fault)).toBe('its own players break the rule avoid on state.avoid')
  expect(whyNever({ ...fault, playerId: 'ann', wants: 'a list' })).toBe(
    'the rule avoid requires a list in state.avoid, which player "ann" does not have',
  )
  expect(faultDetails(fault)).toEqual(fault)
})

test('a party that no team has room for names no field', () => {
  expect(whyNever({ rule: 'players' })).toBe('no team has enough places for these players')
  expect(faultDetails({ rule: 'players' })).toEqual({ rule: 'players' })
})

test('a party that is too large is told by how many, and what size its lobbies should have', () => {
  const party = { lobbyId: 'lob_1', count: 3, most: 1 }
  expect(whyTooLarge({ queueId: 'duel', maxPlayers: 10 }, party)).toBe(
    'lobby lob_1 has 3 players, but matchmaking in queue duel allows at most 1 player in a lobby: 2 players must leave before the lobby can enter the queue; lobbies of this queue have 10 places by default: create them with `maxPlayers` 1',
  )
  expect(whyTooLarge({ queueId: 'duel', maxPlayers: 1 }, party)).toMatch(
    /: 2 players must leave before the lobby can enter the queue$/,
  )
})
