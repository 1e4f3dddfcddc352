import type { ConsumedMessage, Matchyard } from '@matchyard/core'
import { expect, it } from 'vitest'
import { CONSUME_WITHIN_MS } from '../../src/runtime/consume'
import { LANES } from '../../src/worker/lanes'
import { consuming } from './consuming'
import { settled } from './service'

type Arena = Awaited<ReturnType<typeof consuming>>

const consumerOf = (projectId: string, name: string) => ({ projectId, name, types: ['match.result'] }) as const

/** Returns a handler with calls that end when the test ends them, oldest first. */
function slowHandler() {
  const open: (() => void)[] = []
  const messages: ConsumedMessage[] = []
  const handler = (message: ConsumedMessage) => {
    messages.push(message)
    return new Promise<void>((resolve) => open.push(resolve))
  }
  /** Ends the oldest call that runs. Returns false when no call runs. */
  const endFirst = () => {
    const end = open.shift()
    end?.()
    return end !== undefined
  }
  return { handler, messages, endFirst }
}

/** Runs the due jobs of a node until a handler is past its deadline. */
async function runPastDeadline({ clock }: Arena, node: Matchyard) {
  const running = node.worker.runDueJobs()
  await settled()
  clock.advance(CONSUME_WITHIN_MS)
  await running
  clock.advance(1_000)
}

it('gives up a handler that takes too long, and the next call is on another node while the first one runs', async () => {
  const given = await consuming()
  const { matchyard, other, projectId, play, report, seen, note } = given
  const { handler, messages, endFirst } = slowHandler()
  const consumer = consumerOf(projectId, 'table')
  await matchyard.consume(consumer, handler)
  await report(await play(), 1)
  await runPastDeadline(given, matchyard)
  expect(messages[0]?.deadline).toBe(given.clock.now() - 1_000)
  await matchyard.worker.runDueJobs()
  expect(messages).toHaveLength(1)
  given.clock.advance(1_000)
  await other.consume(consumer, note)
  await other.worker.runDueJobs()
  expect(seen.map(({ cursor }) => cursor)).toEqual([messages[0]?.cursor])
  endFirst()
})

it('handles a message again on the same node after its first call has ended', async () => {
  const given = await consuming()
  const { matchyard, projectId, play, report } = given
  const { handler, messages, endFirst } = slowHandler()
  const first = await matchyard.consume(consumerOf(projectId, 'table'), handler)
  await report(await play(), 1)
  await runPastDeadline(given, matchyard)
  // Another handler of the consumer is no reason for a second call either.
  first.stop()
  const second = slowHandler()
  await matchyard.consume(consumerOf(projectId, 'table'), second.handler)
  await matchyard.worker.runDueJobs()
  endFirst()
  await settled()
  expect([messages.length, second.messages.length]).toEqual([1, 0])
  given.clock.advance(1_000)
  const running = matchyard.worker.runDueJobs()
  await settled()
  expect(second.messages.map(({ cursor }) => cursor)).toEqual(messages.map(({ cursor }) => cursor))
  second.endFirst()
  await running
})

/** Lets time pass for the loops of the nodes, in steps. */
async function live({ clock }: Arena, ms: number, stepMs = 100): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    for (let turn = 0; turn < 3; turn++) await settled()
    clock.advance(stepMs)
  }
  await settled()
}

it('counts calls past their deadline among those of their consumer, and frees a place when one of them ends', async () => {
  const given = await consuming()
  const { matchyard, projectId, play, report, seen, note } = given
  const { handler, messages, endFirst } = slowHandler()
  const most = LANES.consumers.perTenant
  const [slow, quick] = [consumerOf(projectId, 'slow'), consumerOf(projectId, 'quick')]
  for (const consumer of [slow, quick]) (await matchyard.consume(consumer, note)).stop()
  for (let n = 0; n < most + 1; n++) await report(await play(), 1)
  await matchyard.start()
  await matchyard.consume(slow, handler)
  await matchyard.consume(quick, note)
  await live(given, CONSUME_WITHIN_MS + 5_000, 500)
  expect([messages.length, seen.length]).toEqual([most, most + 1])
  endFirst()
  await live(given, 5_000)
  expect(messages.length).toBe(most + 1)
  while (endFirst()) await live(given, 1_000)
  expect(await given.due()).toEqual([])
  await matchyard.stop()
})

it('ends before the handover of its node ends, within ten seconds, and starts no more', async () => {
  const given = await consuming()
  const { matchyard, other, projectId, play, report, seen, note } = given
  const { handler, messages, endFirst } = slowHandler()
  const table = consumerOf(projectId, 'table')
  const consumer = await matchyard.consume(table, note)
  consumer.stop()
  for (let n = 0; n < 2; n++) await report(await play(), 1)
  await matchyard.start()
  await matchyard.consume(table, handler)
  await live(given, 1_000)
  expect(messages.length).toBe(2)
  let isOver = false
  const handedOver = matchyard.handOver().then(() => {
    isOver = true
  })
  endFirst()
  await live(given, 9_000)
  expect(isOver).toBe(false)
  await live(given, 2_000)
  await handedOver
  await other.start()
  await other.consume(table, note)
  await live(given, 10_000)
  expect(seen.map(({ matchId }) => matchId)).toEqual([messages[1]?.matchId])
  await other.stop()
})
