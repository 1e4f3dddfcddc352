import { createHash } from 'node:crypto'
import { DEFAULT_TIER, TIER_SIZES, type TierSize } from '@matchyard/core'
import { checkedInstanceId, isInstanceId } from '@matchyard/orchestrator-kit'

/** By these a container is found again whatever the service forgot. */
export const LABEL = {
  installation: 'matchyard.installation',
  project: 'matchyard.project',
  instance: 'matchyard.instance',
  attempt: 'matchyard.attempt',
  readiness: 'matchyard.readiness',
  /** What it takes of the node's room: CPUs and GiB. */
  size: 'matchyard.size',
  /** On containers that are never started: they are made to look into an image. */
  scratch: 'matchyard.scratch',
} as const

/** The engine gives a name to one container at most: launching twice at once makes one. */
export const containerName = (installationId: string, instanceId: string, attempt: number): string =>
  `matchyard-${shortHash(installationId)}-${checkedInstanceId(instanceId)}-${attempt}`

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
export function launchMark(labels: Readonly<Record<string, string>> | undefined): LaunchMark | undefined {
  const instanceId = labels?.[LABEL.instance]
  const attempt = Number(labels?.[LABEL.attempt])
  const isMark = instanceId !== undefined && isInstanceId(instanceId) && Number.isSafeInteger(attempt) && attempt > 0
  return isMark ? { instanceId, attempt } : undefined
}
