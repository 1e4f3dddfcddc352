import { expect, test } from 'vitest'
import type { Connection, KubeAnswer, KubeCall } from '../../src/agones/kube/connection'
import { Unreachable } from '../../src/agones/kube/errors'
import { impatient } from '../../src/agones/kube/impatient'
import { Unanswered } from '../../src/agones/kube/no-answer'

const ANSWER: KubeAnswer = { code: 200, text: '{}', retryAfter: undefined }
const READ: KubeCall = { method: 'GET', path: '/version' }
const WRITE: KubeCall = { method: 'DELETE', path: '/api/v1/namespaces/games/pods/one' }
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Returns a connection whose calls the test answers, each when it chooses. */
function calls() {
  const open: { call: KubeCall; answer: () => void; fail: (error: Error) => void }[] = []
  const send = (call: KubeCall) =>
    new Promise<KubeAnswer>((resolve, reject) =>
      open.push({ call, answer: () => resolve(ANSWER), fail: (error) => reject(error) }),
    )
  const stream = async () => {
    throw new Unreachable('connection refused')
  }
  const connection: Connection = { server: 'test', send, stream }
  const next = () => {
    const one = open.shift()
    if (one === undefined) throw new Error('nothing was asked')
    return one
  }
  return { connection: impatient(connection), open, next }
}

/** Returns a connection after one call that was not answered. */
async function silent() {
  const { connection, open, next } = calls()
  const waited = connection.send(READ).catch((error: unknown) => error)
  next().fail(new Unanswered('it does not answer'))
  expect(await waited).toBeInstanceOf(Unanswered)
  return { connection, open, next }
}

test('who comes after a call that waited in vain is told so at once, and what it would read is asked for once', async () => {
  const { connection, open } = await silent()
  for (let count = 0; count < 50; count++)
    await expect(connection.send(READ)).rejects.toThrow(new Unreachable('it does not answer'))
  expect(open.map(({ call }) => call)).toEqual([READ])
})

test('nothing is written behind anybody’s back', async () => {
  const { connection, open } = await silent()
  await expect(connection.send(WRITE)).rejects.toThrow(Unreachable)
  expect(open).toEqual([])
})

test('once something is answered everybody asks again', async () => {
  const { connection, next } = await silent()
  await expect(connection.send(READ)).rejects.toThrow(Unreachable)
  next().answer()
  await settled()
  const asked = connection.send(WRITE)
  next().answer()
  expect(await asked).toEqual(ANSWER)
})

test('while it stays silent it is asked again, by one at a time', async () => {
  const { connection, open, next } = await silent()
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 5; count++) await expect(connection.send(READ)).rejects.toThrow(Unreachable)
    expect(open).toHaveLength(1)
    next().fail(new Unanswered('it does not answer'))
    await settled()
  }
})

test('what refuses at once, also a stream, is not silent: it can say so itself', async () => {
  const { connection, next } = await silent()
  await expect(connection.stream(READ)).rejects.toThrow('connection refused')
  const asked = connection.send(READ).catch((error: unknown) => error)
  next().fail(new Unreachable('connection refused'))
  expect(String(await asked)).toContain('connection refused')
  const again = connection.send(READ)
  next().answer()
  expect(await again).toEqual(ANSWER)
})

test('what is not waited for any more says nothing of the cluster', async () => {
  const { connection, open } = await silent()
  const stopped = AbortSignal.abort()
  await expect(connection.stream({ ...READ, signal: stopped })).rejects.toThrow()
  await expect(connection.send(READ)).rejects.toThrow('it does not answer')
  expect(open).toHaveLength(1)
})
