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

/** What a container runtime adds to the number of the signal that ended a process. */
const SIGNAL_BASE = 128
// Of two names for one number the first is the usual one.
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)
/** States that no game server comes back from. */
const OVER = ['Unhealthy', 'Error', 'Shutdown']
export const isOver = ({ status }: GameServerItem): boolean => OVER.includes(status?.state ?? '')
/** It said so itself, by Agones' SDK; or somebody gave it players. */
const SAYS_READY = ['RequestReady', 'Ready', 'Reserved', 'Allocated']

/** A node hears of a pod that was deleted by force within this time, or never. */
const FORCED_MS = 10_000
/** A node tells within this time after a pod's grace that it has ended it; longer than clocks differ and than a busy one takes. */
const LAPSED_MS = 90_000

/** Whoever launched one whose pod was refused finds that out, and puts it back in line, within this time; then it is told as ended. */
const REFUSED_MS = 30_000
export const REFUSED = 'the cluster refuses its pod: a quota of the namespace, or a policy'
/** Others have had theirs since. */
export const REFUSED_ALONE =
  'the cluster refuses its pod, and not those of others: a policy, which the events of its namespace tell'

const isRefused = ({ metadata, status }: GameServerItem, now: number): boolean =>
  status?.state === 'Error' &&
  metadata.deletionTimestamp === undefined &&
  now < Date.parse(metadata.creationTimestamp ?? '') + REFUSED_MS

/** How a game server is, by its object and its pod's. */
export type Condition =
  /** `why`: what it waits for, where the platform says so. */
  | { readonly is: 'coming'; readonly why: string | undefined }
  | { readonly is: 'running'; readonly since: number; readonly saysReady: boolean }
  | { readonly is: 'ended'; readonly exit: ServerExit }
  /** It is being put away, or was by another service. */
  | { readonly is: 'gone' }
  /** Its pod must be looked for: without it nothing can be said. */
  | { readonly is: 'unknown' }

/** `now`: by the wall clock, to which the cluster's times are compared. */
export function conditionOf(server: GameServerItem, pod: PodItem | undefined, now: number): Condition {
  const { metadata, status = {} } = server
  if (metadata.deletionTimestamp !== undefined && !isKept(metadata)) return { is: 'gone' }
  const state = stateOf(pod)
  if (state?.terminated !== undefined) return ended(exitOf(state.terminated, now), now)
  const isGoing = isOver(server) || metadata.deletionTimestamp !== undefined
  if (pod === undefined && isRefused(server, now)) return { is: 'coming', why: REFUSED }
  if (pod === undefined) return isGoing ? { is: 'unknown' } : { is: 'coming', why: undefined }
  const { phase, reason } = pod.status ?? {}
  // Without a word of its container: its node went away, or it was ended before it began.
  if (phase === 'Failed' || phase === 'Succeeded') return ended(lost(reason ?? 'pod_failed', now), now)
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata
  if (deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0) {
    // Deleted by force, it may run until its node hears of that; of one that never will, nobody tells any more.
    const at = Date.parse(deletionTimestamp)
    if (state?.running === undefined || now >= at + FORCED_MS) return ended(lost('pod_deleted', at), now)
  }
  if (deletionTimestamp !== undefined && now >= Date.parse(deletionTimestamp) + LAPSED_MS) {
    // Its machine is gone, or cut off. The platform says `running` for ever and leaves it to an operator to find out; it would be billed, and its
    // match would wait, for as long. Where it is cut off it may play on, yet never as the one that is told: what is launched next has an address
    // and a token of its own, its own token is refused from then on, and its node ends it as soon as it hears of the deletion.
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

/** What has no pod and never will again. */
export const lostPod = (server: GameServerItem, now: number): Condition =>
  ended(
    lost(
      server.status?.state === 'Error' ? 'pod_refused' : 'pod_deleted',
      Date.parse(server.metadata.deletionTimestamp ?? '') || now,
    ),
    now,
  )

/** Somebody deleted its configuration before it began: its pod would wait for it for ever. It never ran, so it ended when it was made. */
export const withoutConfiguration = (madeAt: number, now: number): Condition =>
  ended(lost('configuration_deleted', madeAt), now)

/** Never after it was found: the cluster's clock may be ahead, and a deletion is dated by when it shall be over. */
const ended = (exit: ServerExit, now: number): Condition => ({
  is: 'ended',
  exit: { ...exit, at: Math.min(exit.at, now) },
})

export const stateOf = (pod: PodItem | undefined): ContainerState | undefined =>
  pod?.status?.containerStatuses?.find(({ name }) => name === CONTAINER)?.state

/** When its container began; undefined of one that did not, or of which nobody tells. */
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
/** A node that has just come pulls before its credentials are there; a registry says the same of what it does not have and of what it does not show. */
const NO_RIGHT = /denied|unauthorized|authori[sz]ation|authentication|forbidden/i
/** Where there is a container that never began the platform makes none again; the others are its node's, which goes on trying. */
const NEVER_BEGAN = ['StartError', 'ContainerCannotRun']
const NOT_MADE = ['CreateContainerError', 'RunContainerError']
const NO_SUCH_PROGRAM = /exec format error|executable file not found|no command specified/i
const OF_A_PROGRAM = /\bexec\b/i
const NOT_TO_BE_RUN = /no such file or directory|permission denied|not found|is a directory/i
/** A program that the kernel does not take, as whoever was to become it said with its last words. */
const NOT_TAKEN = /^exec \S+: (exec format error|no such file or directory|permission denied)\s*$/
/** An overloaded node says so too: another attempt may do better. */
const TOO_MUCH_TO_DO = /deadline exceeded|timed? ?out|failed to reserve container name|temporarily unavailable/i

/** Whether a container was not made because its program cannot be run. */
const isUnfit = (words: string): boolean =>
  NO_SUCH_PROGRAM.test(words) ||
  (OF_A_PROGRAM.test(words) && NOT_TO_BE_RUN.test(words.slice(words.search(OF_A_PROGRAM))))

/** Why a game server will never run, or undefined: no such image, or nothing in it that can be started. */
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

/** The ports that it has, once the cluster has said all of them. */
export function portsOf({ metadata, status }: GameServerItem): readonly PortMapping[] | undefined {
  const requests = requestsOf(metadata.annotations?.[ANNOTATION.ports])
  const { address, ports = [] } = status ?? {}
  if (address === undefined || address === '') return undefined
  const mappings = requests.flatMap((request, index) => {
    const externalPort = ports.find(({ name }) => name === `p${index}`)?.port
    return externalPort === undefined ? [] : [{ ...request, externalPort, host: address }]
  })
  return mappings.length === requests.length ? mappings : undefined
}

export function requestsOf(text: string | undefined): readonly PortRequest[] {
  try {
    return JSON.parse(text ?? '[]') as PortRequest[]
  } catch {
    return [] // somebody has edited it
  }
}

/** It was found to take players, and that is kept in the cluster. */
export const isKnownReady = ({ metadata }: GameServerItem): boolean =>
  metadata.annotations?.[ANNOTATION.readyAt] !== undefined

export const readinessOf = ({ metadata }: GameServerItem): Readiness =>
  READINESS.find((one) => one === metadata.annotations?.[ANNOTATION.readiness]) ?? 'port'

/** What says nothing of its size counts as one of the smallest. */
export function sizeOf({ metadata }: GameServerItem): TierSize {
  const [cpus = Number.NaN, memoryGib = Number.NaN] = (metadata.annotations?.[ANNOTATION.size] ?? '')
    .split(' ')
    .map(Number)
  return cpus > 0 && memoryGib > 0 ? { cpus, memoryGib } : TIER_SIZES[DEFAULT_TIER]
}
