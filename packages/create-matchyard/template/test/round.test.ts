import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMessage } from '../game/messages'
import { Round, TO_WIN } from '../game/round'

const begun = () => {
  const round = new Round(2, () => 0.5)
  round.join('ann', 'Ann')
  assert.equal(round.standing.star, null)
  round.join('bob', 'Bob')
  return round
}

test('a star is whose who clicks it first, once', () => {
  const round = begun()
  assert.deepEqual(round.standing.star, { n: 1, x: 50, y: 50 })
  assert.equal(round.catch('bob', 1), true)
  assert.equal(round.catch('ann', 1), false)
  assert.equal(round.catch('a stranger', 2), false)
  assert.deepEqual(
    round.standing.players.map(({ points }) => points),
    [0, 1],
  )
})

test('the first with five has won, and nothing counts after that', () => {
  const round = begun()
  for (let n = 1; n <= TO_WIN; n++) round.catch('ann', n)
  assert.equal(round.standing.winner, 'ann')
  assert.equal(round.catch('bob', TO_WIN + 1), false)
})

test('who leaves gives the round away; who comes back has kept the points', () => {
  const round = begun()
  round.catch('ann', 1)
  round.join('ann', 'Ann')
  assert.equal(round.standing.players[0]?.points, 1)
  round.leave('ann')
  assert.equal(round.standing.winner, 'bob')
})

test('what is no message is passed over', () => {
  for (const text of ['', 'null', '[]', '{"type":"join"}', '{"type":"catch","n":"1"}']) {
    assert.equal(readMessage(text), undefined)
  }
  assert.deepEqual(readMessage('{"type":"catch","n":3}'), { type: 'catch', n: 3 })
})
