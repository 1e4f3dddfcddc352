import { expect, it } from 'vitest'
import { AwaitedPlayers } from '../../src/node/heard-players'

it('a call that names an awaited player ends the wait for all players of that wait, and of no other', () => {
  const awaited = new AwaitedPlayers()
  const told: string[] = []
  awaited.add(['ann', 'bob'], () => told.push('first'))
  const end = awaited.add(['ann'], () => told.push('ended'))
  awaited.add(['bob'], () => told.push('second'))
  end()
  awaited.hear('cid')
  awaited.hear('ann')
  expect(told).toEqual(['first'])
  awaited.hear('bob')
  awaited.hear('bob')
  expect(told).toEqual(['first', 'second'])
})
