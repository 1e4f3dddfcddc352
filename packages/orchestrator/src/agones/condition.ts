import { constants } from 'node:os'
import type { TierSize } from '@matchyard/core'
import {
  DEFAULT_TIER,
  type PortMapping,
  type PortRequest,
  READINESS,
  type Readiness,
  TIER_SIZES,
} from '@matchyard/core'
import type { ServerExit } from '@matchyard/core/ports'
import { isKept } from './finalizer'
import type { ContainerState, GameServerItem, PodItem } from './kube/shapes'
import { ANNOTATION, CONTAINER } from './names'

/** Number that a container runtime adds to a signal's number to form the exit code. */
const SIGNAL_BASE = 128
// Some signals have two names for one number. The usual name is the first, and the last entry of the map counts, so the
// order is reversed.
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)
/** Agones states of a game server that has ended or is about to end. */
const OVER = ['Unhealthy', 'Error', 'Shutdown']
export const isOver = ({ status }: GameServerItem): boolean => OVER.includes(status?.state ?? '')
/** Agones states of a server that reported itself ready through Agones' SDK, or that was allocated to players. */
const SAYS_READY = ['RequestReady', 'Ready', 'Reserved', 'Allocated']

/**
 * Milliseconds within which a node learns that a pod was deleted by force. After this time, the node does not learn of
 * it any more.
 */
const FORCED_MS = 10_000
/**
 * Milliseconds after a pod's grace period within which the pod's node reports the exit. The time is longer than clock
 * differences and than the delay of a busy node.
 */
const LAPSED_MS = 90_000

/**
 * Milliseconds after its creation in which a game server whose pod was refused counts as `coming`. The launching node
 * detects the refusal within this time, and the launch waits for capacity again. Later the game server counts as ended.
 */
const REFUSED_MS = 30_000
export const REFUSED = 'the cluster refuses its pod: a quota of the namespace, or a policy'
/** Message for a refused pod, when the cluster has made pods of other launches since the refusal. */
export const REFUSED_ALONE =
  'the cluster refuses its pod, and not those of others: a policy, which the events of its namespace tell'

const isRefused = ({ metadata, status }: GameServerItem, now: number): boolean =>
  status?.state === 'Error' &&
  metadata.deletionTimestamp === undefined &&
  now < Date.parse(metadata.creationTimestamp ?? '') + REFUSED_MS

/** Condition of a game server, computed from the GameServer object and its pod object. */
export type Condition =
  /** `why`: reason for the wait, when the platform reports a reason. */
  | { readonly is: 'coming'; readonly why: string | undefined }
  | { readonly is: 'running'; readonly since: number; readonly saysReady: boolean }
  | { readonly is: 'ended'; readonly exit: ServerExit }
  /** The object is being deleted and has no finalizer of this service: this node or another node is removing it. */
  | { readonly is: 'gone' }
  /** The condition depends on the pod, so the pod must be read from the cluster. */
  | { readonly is: 'unknown' }

/**
 * Returns the condition of a game server. `now` is the wall-clock time, because it is compared with times that the
 * cluster wrote.
 */
export function conditionOf(server: GameServerItem, pod: PodItem | undefined, now: number): Condition {
  const { metadata, status = {} } = server
  if (metadata.deletionTimestamp !== undefined && !isKept(metadata)) return { is: 'gone' }
  const state = stateOf(pod)
  if (state?.terminated !== undefined) return ended(exitOf(state.terminated, now), now)
  const isGoing = isOver(server) || metadata.deletionTimestamp !== undefined
  if (pod === undefined && isRefused(server, now)) return { is: 'coming', why: REFUSED }
  if (pod === undefined) return isGoing ? { is: 'unknown' } : { is: 'coming', why: undefined }
  const { phase, reason } = pod.status ?? {}
  // The container has no final state: its node was lost, or the pod was ended before the container started.
  if (phase === 'Failed' || phase === 'Succeeded') return ended(lost(reason ?? 'pod_failed', now), now)
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata
  if (deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0) {
    // A pod that was deleted by force may run until its node learns of the deletion. After `FORCED_MS`, the node does
    // not report the exit any more.
    const at = Date.parse(deletionTimestamp)
    if (state?.running === undefined || now >= at + FORCED_MS) return ended(lost('pod_deleted', at), now)
  }
  if (deletionTimestamp !== undefined && now >= Date.parse(deletionTimestamp) + LAPSED_MS) {
    // The node is lost, or has no connection to the cluster. Kubernetes reports `running` until an operator acts. Until
    // then, the server would be billed and its match would wait. On a node without a connection, the server may
    // continue to run, but not as this instance: the next launch has another address and another token. From now on the
    // service refuses the old token, and the node ends the server as soon as it learns of the deletion.
    return ended(lost('node_lost', Date.parse(deletionTimestamp)), now)
  }
  if (state?.running === undefined) return { is: 'coming', why: whyOf(pod, state) }
  const since = Date.parse(state.running.startedAt ?? '')
  return {
    is: 'running',
    since: Number.isNaN(since) ? now : since,
    saysReady: SAYS_READY.includes(status.state ?? ''),
  }
}

/** Returns the end of a game server that has no pod and will never get a pod. */
export const lostPod = (server: GameServerItem, now: number): Condition =>
  ended(
    lost(
      server.status?.state === 'Error' ? 'pod_refused' : 'pod_deleted',
      Date.parse(server.metadata.deletionTimestamp ?? '') || now,
    ),
    now,
  )

/**
 * Returns the end of a game server whose configuration was deleted before its start. Its pod would wait for the
 * configuration forever. The game server never ran, so the time of its exit is `madeAt`, the time of its creation.
 */
export const withoutConfiguration = (madeAt: number, now: number): Condition =>
  ended(lost('configuration_deleted', madeAt), now)

/**
 * Returns an end whose time is at most `now`. The cluster's clock may be ahead, and `deletionTimestamp` is the time at
 * which the grace period ends.
 */
const ended = (exit: ServerExit, now: number): Condition => ({
  is: 'ended',
  exit: { ...exit, at: Math.min(exit.at, now) },
})

export const stateOf = (pod: PodItem | undefined): ContainerState | undefined =>
  pod?.status?.containerStatuses?.find(({ name }) => name === CONTAINER)?.state

/** Returns the time at which the container started; undefined when it has not started or the time is unknown. */
export function startedAtOf(pod: PodItem | undefined): number | undefined {
  const { running, terminated } = stateOf(pod) ?? {}
  const at = Date.parse(running?.startedAt ?? terminated?.startedAt ?? '')
  return at > 0 ? at : undefined
}

function exitOf(
  { exitCode = 0, signal: number, reason, finishedAt }: NonNullable<ContainerState['terminated']>,
  now: number,
): ServerExit {
  const signal = SIGNALS.get(number ?? exitCode - SIGNAL_BASE) ?? null
  const at = Date.parse(finishedAt ?? '')
  return {
    code: signal === null ? exitCode : null,
    signal,
    ...(reason === 'OOMKilled' ? { reason: 'out_of_memory' } : {}),
    at: at > 0 ? at : now,
  }
}

const lost = (reason: string, at: number): ServerExit => ({
  code: null,
  signal: null,
  reason: reason.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase(),
  at,
})

function whyOf({ status = {} }: PodItem, state: ContainerState | undefined): string | undefined {
  const scheduled = status.conditions?.find(({ type }) => type === 'PodScheduled')
  if (scheduled?.status === 'False')
    return `no node of the cluster takes it: ${scheduled.message ?? scheduled.reason ?? ''}`
  const { reason, message } = state?.waiting ?? {}
  if (reason === undefined || reason === 'ContainerCreating' || reason === 'PodInitializing') return undefined
  return `its container does not start: ${reason}${message === undefined ? '' : `, ${message}`}`
}

const IMAGE_TROUBLE = ['ErrImagePull', 'ImagePullBackOff', 'ErrImageNeverPull', 'ImageInspectError']
const NO_SUCH_IMAGE = /not found|manifest unknown|does not exist|invalid reference|couldn't parse/i
/**
 * Texts of an error that may be temporary: a new node may pull images before its credentials arrive. A registry uses
 * the same texts for a missing image and for a private image.
 */
const NO_RIGHT = /denied|unauthorized|authori[sz]ation|authentication|forbidden/i
/**
 * Reasons with which a container was made but never started; the platform then makes no other container. With the
 * reasons in `NOT_MADE`, the node tries again.
 */
const NEVER_BEGAN = ['StartError', 'ContainerCannotRun']
const NOT_MADE = ['CreateContainerError', 'RunContainerError']
const NO_SUCH_PROGRAM = /exec format error|executable file not found|no command specified/i
const OF_A_PROGRAM = /\bexec\b/i
const NOT_TO_BE_RUN = /no such file or directory|permission denied|not found|is a directory/i
/**
 * Last log line of a process that called `exec` for the server's program, when the kernel refused to run the program.
 */
const NOT_TAKEN = /^exec \S+: (exec format error|no such file or directory|permission denied)\s*$/
/** Texts in errors of an overloaded node: another attempt may succeed. */
const TOO_MUCH_TO_DO = /deadline exceeded|timed? ?out|failed to reserve container name|temporarily unavailable/i

/** Whether an error says that a container was not made because its program cannot be run. */
const isUnfit = (words: string): boolean =>
  NO_SUCH_PROGRAM.test(words) ||
  (OF_A_PROGRAM.test(words) && NOT_TO_BE_RUN.test(words.slice(words.search(OF_A_PROGRAM))))

/**
 * Returns the reason why a game server will never run: the image does not exist, or nothing in the image can be
 * started. Returns undefined when the game server may still run.
 */
export function hopeless(pod: PodItem | undefined): string | undefined {
  const { waiting, terminated } = stateOf(pod) ?? {}
  const words = waiting?.message ?? terminated?.message ?? ''
  const reason = waiting?.reason ?? terminated?.reason ?? ''
  const isGone = IMAGE_TROUBLE.includes(reason) && NO_SUCH_IMAGE.test(words) && !NO_RIGHT.test(words)
  if (reason === 'InvalidImageName' || isGone) return `its image cannot be pulled: ${words}`
  if (TOO_MUCH_TO_DO.test(words)) return undefined
  const wasNotTaken = terminated?.exitCode === 1 && NOT_TAKEN.test(words)
  if (wasNotTaken || NEVER_BEGAN.includes(reason) || (NOT_MADE.includes(reason) && isUnfit(words)))
    return `the game server could not be started: ${words || reason}`
  return undefined
}

/** Returns the external ports of a game server; undefined until the cluster has reported all of them. */
export function portsOf({ metadata, status }: GameServerItem): readonly PortMapping[] | undefined {
  const requests = requestsOf(metadata.annotations?.[ANNOTATION.ports])
  const { address, ports = [] } = status ?? {}
  if (address === undefined || address === '') return undefined
  const mappings = requests.flatMap((request, index) => {
    const externalPort = ports.find(({ name }) => name === `p${index}` || name === `p${index}-tcp`)?.port
    return externalPort === undefined ? [] : [{ ...request, externalPort, host: address }]
  })
  return mappings.length === requests.length ? mappings : undefined
}

export function requestsOf(text: string | undefined): readonly PortRequest[] {
  try {
    return JSON.parse(text ?? '[]') as PortRequest[]
  } catch {
    return [] // somebody has changed the annotation by hand
  }
}

/** Whether the service found the server ready before. An annotation in the cluster stores this. */
export const isKnownReady = ({ metadata }: GameServerItem): boolean =>
  metadata.annotations?.[ANNOTATION.readyAt] !== undefined

export const readinessOf = ({ metadata }: GameServerItem): Readiness =>
  READINESS.find((one) => one === metadata.annotations?.[ANNOTATION.readiness]) ?? 'port'

/** Returns the size of the server; the size of the default tier when the annotation is missing or invalid. */
export function sizeOf({ metadata }: GameServerItem): TierSize {
  const [cpus = Number.NaN, memoryGib = Number.NaN] = (metadata.annotations?.[ANNOTATION.size] ?? '')
    .split(' ')
    .map(Number)
  return cpus > 0 && memoryGib > 0 ? { cpus, memoryGib } : TIER_SIZES[DEFAULT_TIER]
}
