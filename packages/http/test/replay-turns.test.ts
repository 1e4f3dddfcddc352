import { expect, test } from 'vitest'
import { ReplayTurns } from '../src/sse/replay-turns'

/** Returns turns under the control of a test, which ends the readings and passes the turns of the event loop. */
function turnsOf(atOnce: number) {
  const order: string[] = []
  const ends: (() => void)[] = []
  let passTurn: (() => void)[] = []
  const turns = new ReplayTurns(atOnce, () => new Promise((resolve) => passTurn.push(resolve)))
  const read = (name: string, projectId: string, readerId = 'ann') =>
    turns.run({ projectId, readerId }, () => {
      order.push(name)
      return new Promise((resolve) => ends.push(resolve))
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    turns,
    order,
    read,
    settle,
    async endOne() {
      ends.shift()?.()
      await settle()
    },
    async turn() {
      const passing = passTurn
      passTurn = []
      for (const pass of passing) pass()
      await settle()
    },
  }
}

test('a few read at once, and each reading is followed by a turn of the event loop', async () => {
  const { order, read, settle, endOne, turn } = turnsOf(2)
  for (const name of ['a1', 'a2', 'a3', 'a4']) void read(name, 'a')
  await settle()
  expect(order).toEqual(['a1', 'a2'])
  await endOne()
  expect(order).toEqual(['a1', 'a2'])
  await turn()
  expect(order).toEqual(['a1', 'a2', 'a3'])
})

test('two hundred of one project are one in the queue to the others', async () => {
  const { order, read, settle, endOne, turn } = turnsOf(1)
  for (let n = 0; n < 200; n++) void read(`a${n}`, 'a')
  void read('b', 'b')
  void read('c', 'c')
  await settle()
  for (let n = 0; n < 4; n++) {
    await endOne()
    await turn()
  }
  expect(order).toEqual(['a0', 'a1', 'b', 'c', 'a2'])
})

test('two hundred of one player are one in the queue to the other players of the project', async () => {
  const { order, read, settle, endOne, turn } = turnsOf(1)
  for (let n = 0; n < 200; n++) void read(`ann${n}`, 'a', 'ann')
  void read('bob', 'a', 'bob')
  void read('cid', 'b', 'cid')
  await settle()
  for (let n = 0; n < 5; n++) {
    await endOne()
    await turn()
  }
  expect(order).toEqual(['ann0', 'ann1', 'cid', 'bob', 'ann2', 'ann3'])
})

test('a crowd that begins at once begins a few at a time, each few in a turn of their own', async () => {
  const { turns, settle, turn } = turnsOf(2)
  const begun: number[] = []
  for (let n = 0; n < 5; n++) void turns.begin({ projectId: 'a', readerId: 'ann' }).then(() => begun.push(n))
  await settle()
  expect(begun).toEqual([0, 1])
  await turn()
  expect(begun).toEqual([0, 1, 2, 3])
  await turn()
  expect(begun).toEqual([0, 1, 2, 3, 4])
})
