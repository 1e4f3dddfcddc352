import { createHash } from 'node:crypto'
import { DEFAULT_TIER, TIER_SIZES, type TierSize } from '@matchyard/core'
import { checkedInstanceId, isInstanceId } from '../kit/index'

/** By these a container is found again whatever the service forgot. */
export const LABEL = {
  installation: 'matchyard.installation',
  project: 'matchyard.project',
  instance: 'matchyard.instance',
  attempt: 'matchyard.attempt',
  readiness: 'matchyard.readiness',
  /** What it takes of the node's room: CPUs and GiB. */
  size: 'matchyard.size',
  /** On containers that are started before anybody asks for them: the hash of their pool. Their name says whose they have become. */
  warm: 'matchyard.warm',
  /** Of such a one: its own name among them. */
  warmId: 'matchyard.warm-id',
  /** Of such a one: its external ports, in the order in which they were asked for. */
  ports: 'matchyard.ports',
  /** On containers that are never started: they are made to look into an image. */
  scratch: 'matchyard.scratch',
} as const

/** The engine gives a name to one container at most: launching twice at once makes one. */
export const containerName = (installationId: string, instanceId: string, attempt: number): string =>
  `matchyard-${shortHash(installationId)}-${checkedInstanceId(instanceId)}-${attempt}`

/** No instance's: their ids hold no dot. */
export const warmName = (installationId: string, warmId: string): string =>
  `matchyard-${shortHash(installationId)}-warm.${warmId}`

/** All launches of an instance have names that begin so. */
export const namesOf = (installationId: string, instanceId: string): string =>
  `matchyard-${shortHash(installationId)}-${checkedInstanceId(instanceId)}-`

export const poolHash = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 40)

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

export interface LaunchMark {
  readonly instanceId: string
  readonly attempt: number
}

export const sizeLabel = ({ cpus, memoryGib }: TierSize): string => `${cpus} ${memoryGib}`

/** What says nothing of its size, as those of an earlier release, counts as one of the smallest. */
export function sizeOf(labels: Readonly<Record<string, string>> | undefined): TierSize {
  const [cpus = Number.NaN, memoryGib = Number.NaN] = (labels?.[LABEL.size] ?? '').split(' ').map(Number)
  return cpus > 0 && memoryGib > 0 ? { cpus, memoryGib } : TIER_SIZES[DEFAULT_TIER]
}

/** Which launch a container is; undefined when it is none, or its labels are not what a launch writes. */
export const launchMark = (labels: Readonly<Record<string, string>> | undefined): LaunchMark | undefined =>
  markOf(labels?.[LABEL.instance], labels?.[LABEL.attempt])

/** Which launch took a container that had waited: labels stay as they were made, a name is given by the engine to one alone. */
export function markOfName(installationId: string, name: string): LaunchMark | undefined {
  const prefix = `matchyard-${shortHash(installationId)}-`
  const end = name.lastIndexOf('-')
  return name.startsWith(prefix) ? markOf(name.slice(prefix.length, end), name.slice(end + 1)) : undefined
}

function markOf(instanceId: string | undefined, text: string | undefined): LaunchMark | undefined {
  const attempt = Number(text)
  const isMark = instanceId !== undefined && isInstanceId(instanceId) && Number.isSafeInteger(attempt) && attempt > 0
  return isMark ? { instanceId, attempt } : undefined
}
