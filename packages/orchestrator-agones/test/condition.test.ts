import { describe, expect, test } from 'vitest'
import { conditionOf, lostPod } from '../src/condition'
import type { GameServerItem, KubeMeta, PodItem } from '../src/kube/shapes'
import { CONTAINER, FINALIZER } from '../src/names'

const NOW = Date.UTC(2030, 0, 1)
const iso = (at: number) => new Date(at).toISOString()
const meta = (more: Partial<KubeMeta> = {}): KubeMeta => ({
  name: 'g',
  uid: 'u',
  resourceVersion: '1',
  finalizers: [FINALIZER],
  ...more,
})
const server = (more: Partial<KubeMeta> = {}): GameServerItem => ({
  metadata: meta(more),
  status: { state: 'Scheduled' },
})
const runningPod = (more: Partial<KubeMeta>): PodItem => ({
  metadata: meta(more),
  status: {
    phase: 'Running',
    containerStatuses: [{ name: CONTAINER, state: { running: { startedAt: iso(NOW - 60_000) } } }],
  },
})

describe('how a game server is', () => {
  test('of a pod that was deleted by force while it runs: it runs until its node has had time to hear of that', () => {
    const pod = runningPod({ deletionTimestamp: iso(NOW), deletionGracePeriodSeconds: 0 })
    expect(conditionOf(server(), pod, NOW + 1_000)).toMatchObject({ is: 'running' })
    expect(conditionOf(server(), pod, NOW + 10_000)).toMatchObject({
      is: 'ended',
      exit: { reason: 'pod_deleted', at: NOW },
    })
  })

  test('of one whose pod is refused: it is no attempt that failed until its launch has had time to find room for it', () => {
    const refused: GameServerItem = { metadata: meta({ creationTimestamp: iso(NOW) }), status: { state: 'Error' } }
    expect(conditionOf(refused, undefined, NOW + 1_000)).toMatchObject({ is: 'coming' })
    expect(conditionOf(refused, undefined, NOW + 30_000)).toEqual({ is: 'unknown' })
    expect(lostPod(refused, NOW + 30_000)).toMatchObject({ exit: { reason: 'pod_refused' } })
  })

  test('no end is told that is yet to come: a deletion is dated by its grace, and clocks differ', () => {
    const later = iso(NOW + 30_000)
    expect(lostPod(server({ deletionTimestamp: later }), NOW)).toMatchObject({ exit: { at: NOW } })
    const pod: PodItem = {
      metadata: meta(),
      status: {
        phase: 'Failed',
        containerStatuses: [{ name: CONTAINER, state: { terminated: { exitCode: 1, finishedAt: later } } }],
      },
    }
    expect(conditionOf(server(), pod, NOW)).toMatchObject({ is: 'ended', exit: { code: 1, at: NOW } })
  })
})
