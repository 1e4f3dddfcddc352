import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CollectedSpan } from '../../src/tracing/collector'
import { playTraced, startTracedCluster, type TracedCluster } from '../../src/tracing/trace-of-a-match'

let traced: TracedCluster
beforeAll(async () => {
  traced = await startTracedCluster()
}, 120_000)
afterAll(() => traced?.stop(), 60_000)

const ENQUEUE = 'POST /v1/lobbies/{lobby_id}/queue'

it('one match is one trace over both nodes, linked with that of the other party', { timeout: 180_000 }, async () => {
  const { cluster, collector } = traced
  const players = await playTraced(cluster)
  const game = await collector.until(() =>
    collector.spans.find(({ name, traceId }) => name === 'game' && players.includes(traceId)),
  )
  const spans = collector.of(game.traceId)
  const only = (name: string): CollectedSpan => {
    const found = spans.filter((span) => span.name === name)
    expect([name, found.length]).toEqual([name, 1])
    return found[0] as CollectedSpan
  }
  const queue = String(spans.find(({ name }) => name.startsWith('match '))?.name.slice('match '.length))
  const made = only(`match ${queue}`)
  const [call, wait, launch, spawn] = [ENQUEUE, `wait ${queue}`, 'launch', 'spawn process'].map(only)
  expect([wait?.parentId, made.parentId]).toEqual([call?.spanId, call?.spanId])
  for (const part of [launch, spawn, game]) expect([part?.name, part?.parentId]).toEqual([part?.name, made.spanId])
  expect([launch, spawn, game].flatMap((span) => span?.error ?? [])).toEqual([])
  expect(made.attributes['messaging.batch.message_count']).toBe('2')

  // The trace of the other party links to the match, and the match links back to it.
  const otherId = players.find((id) => made.links.some(({ traceId }) => traceId === id && id !== made.traceId)) ?? ''
  const others = collector.of(otherId)
  const theirs = others.find(({ name }) => name === `wait ${queue}`)
  const theirCall = others.find(({ name }) => name === ENQUEUE)
  expect(theirs?.links).toEqual([{ traceId: made.traceId, spanId: made.spanId }])
  expect(made.links.map(({ spanId }) => spanId).sort()).toEqual([call?.spanId, theirCall?.spanId].sort())

  // The parties entered on different nodes and one node made the match. That node reports the waits in both traces.
  expect([call?.node, theirCall?.node].sort()).toEqual(cluster.nodes.map(({ nodeId }) => nodeId))
  expect([wait?.node, theirs?.node]).toEqual([made.node, made.node])

  // No span starts before the span that caused it.
  const order = [call, wait, launch, game].map((span) => span?.startedAt ?? 0)
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(game.endedAt).toBeGreaterThanOrEqual(launch?.endedAt ?? Number.POSITIVE_INFINITY)

  const told = JSON.stringify(collector.spans)
  for (const secret of [cluster.clientKey, cluster.serverKey]) expect(told).not.toContain(secret)
})

it('lines of the log say of which trace they are', () => {
  const { cluster, collector } = traced
  const traces = new Set(collector.spans.map(({ traceId }) => traceId))
  const lines = cluster.nodes.flatMap(({ lastWords }) => lastWords.split('\n'))
  const told = lines.flatMap((line) => /"operation":"lobbies\.\w+".*"trace_id":"(\w+)"/.exec(line)?.[1] ?? [])
  expect(told.length).toBeGreaterThan(0)
  expect(told.filter((id) => !traces.has(id))).toEqual([])
})
