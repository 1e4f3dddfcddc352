import { describe, expect, test } from 'vitest'
import { conditionOf, hopeless, lostPod } from '../../src/agones/condition'
import type { GameServerItem, KubeMeta, PodItem } from '../../src/agones/kube/shapes'
import { CONTAINER, FINALIZER } from '../../src/agones/names'

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

  test('of a pod that nobody ends: it has ended a while after its grace, whatever that was, and whether or not it ever ran', () => {
    const deleted = { deletionTimestamp: iso(NOW), deletionGracePeriodSeconds: 10 }
    const told = { is: 'ended', exit: { code: null, reason: 'node_lost', at: NOW } }
    for (const pod of [runningPod(deleted), { metadata: meta(deleted), status: { phase: 'Pending' } }]) {
      expect(conditionOf(server(), pod, NOW + 60_000).is).not.toBe('ended')
      expect(conditionOf(server(), pod, NOW + 120_000)).toMatchObject(told)
    }
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

describe('whether a game server will never run', () => {
  type State = 'waiting' | 'terminated'
  const said = (state: State, reason: string, message: string): PodItem => ({
    metadata: meta(),
    status: { containerStatuses: [{ name: CONTAINER, state: { [state]: { reason, message } } }] },
  })

  test.each<[State, string, string]>([
    ['waiting', 'InvalidImageName', 'couldn\'t parse image name "x@"'],
    ['waiting', 'ErrImagePull', 'failed to resolve reference "ghcr.io/a/b@sha256:0": ghcr.io/a/b@sha256:0: not found'],
    ['waiting', 'ImagePullBackOff', 'Back-off pulling image "a/b": ErrImagePull: manifest unknown'],
    ['waiting', 'CreateContainerError', 'failed to generate container spec: no command specified'],
    ['waiting', 'RunContainerError', 'unable to start container process: exec: "/game": permission denied'],
    ['waiting', 'RunContainerError', 'exec: "game": executable file not found in $PATH: unknown'],
    ['terminated', 'StartError', 'exec /game: exec format error'],
    ['terminated', 'StartError', 'exec: "/game": stat /game: no such file or directory: unknown'],
    ['terminated', 'StartError', 'OCI runtime create failed: chdir to cwd ("/app") set in config.json failed'],
  ])('it will not, %s by %s: %s', (state, reason, message) => {
    expect(hopeless(said(state, reason, message))).toMatch(/could not be started|cannot be pulled/)
  })

  test.each<[State, string, string]>([
    ['waiting', 'ContainerCreating', ''],
    ['waiting', 'CreateContainerError', 'context deadline exceeded'],
    ['waiting', 'CreateContainerError', 'failed to reserve container name "game_x": name is reserved for "1f"'],
    ['waiting', 'RunContainerError', 'failed to create containerd task: context deadline exceeded: unknown'],
    ['waiting', 'CreateContainerError', 'failed to mount rootfs: no space left on device'],
    ['waiting', 'ErrImagePull', 'failed to pull: 401 Unauthorized'],
    ['waiting', 'ImagePullBackOff', 'pull access denied, repository does not exist or may require authorization'],
    ['waiting', 'ErrImagePull', 'dial tcp: lookup ghcr.io: no such host'],
    ['terminated', 'StartError', 'failed to start containerd task "1f": context deadline exceeded: unknown'],
    ['terminated', 'Error', ''],
  ])('it may yet, %s by %s: %s', (state, reason, message) => {
    expect(hopeless(said(state, reason, message))).toBeUndefined()
  })
})
