import { createHash } from 'node:crypto'
import { DEFAULT_TIER, TIER_SIZES, type TierSize } from '@matchyard/core'
import { checkedInstanceId, isInstanceId } from '../kit/index'

/** Labels of containers. The service finds its containers by these labels, without other records. */
export const LABEL = {
  installation: 'matchyard.installation',
  project: 'matchyard.project',
  instance: 'matchyard.instance',
  attempt: 'matchyard.attempt',
  readiness: 'matchyard.readiness',
  /** The CPUs and the memory (GiB) of the container. */
  size: 'matchyard.size',
  /**
   * On warm servers: the hash of their pool. A launch that takes a warm server renames its container; the labels stay.
   */
  warm: 'matchyard.warm',
  /** On warm servers: the id of the warm server. */
  warmId: 'matchyard.warm-id',
  /** On warm servers: the external ports, in the order of the port requests. */
  ports: 'matchyard.ports',
  /** On containers with TLS ports: the external port and the inner port of each. */
  fronts: 'matchyard.fronts',
  /** On containers that are never started: the service creates them to read the files of an image. */
  scratch: 'matchyard.scratch',
} as const

/**
 * Returns the container name of an attempt. The engine allows each name once, so two concurrent launches create only
 * one container.
 */
export const containerName = (installationId: string, instanceId: string, attempt: number): string =>
  `matchyard-${shortHash(installationId)}-${checkedInstanceId(instanceId)}-${attempt}`

/** Returns the container name of a warm server. Instance ids have no dot, so no launch has such a name. */
export const warmName = (installationId: string, warmId: string): string =>
  `matchyard-${shortHash(installationId)}-warm.${warmId}`

/** Returns the prefix of the container names of all attempts of an instance. */
export const namesOf = (installationId: string, instanceId: string): string =>
  `matchyard-${shortHash(installationId)}-${checkedInstanceId(instanceId)}-`

export const poolHash = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 40)

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

export interface LaunchMark {
  readonly instanceId: string
  readonly attempt: number
}

export const sizeLabel = ({ cpus, memoryGib }: TierSize): string => `${cpus} ${memoryGib}`

/**
 * Returns the size from the labels. A container without a size label (of an earlier release) counts with the default
 * tier.
 */
export function sizeOf(labels: Readonly<Record<string, string>> | undefined): TierSize {
  const [cpus = Number.NaN, memoryGib = Number.NaN] = (labels?.[LABEL.size] ?? '').split(' ').map(Number)
  return cpus > 0 && memoryGib > 0 ? { cpus, memoryGib } : TIER_SIZES[DEFAULT_TIER]
}

/**
 * Returns the instance and attempt from the labels of a container; undefined when the labels are missing or invalid.
 */
export const launchMark = (labels: Readonly<Record<string, string>> | undefined): LaunchMark | undefined =>
  markOf(labels?.[LABEL.instance], labels?.[LABEL.attempt])

/**
 * Returns the instance and attempt from the name of a container. The function is needed for a taken warm server: its
 * container has a new name, but its old labels.
 */
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

/** Port with TLS: the external port, and the port of the loopback device at which the engine publishes the server's port. */
export interface FrontPort {
  readonly port: number
  readonly inner: number
}

/** Returns the text of the ports for a label of the container. */
export const frontLabel = (ports: Iterable<FrontPort>): string =>
  [...ports].map(({ port, inner }) => `${port}:${inner}`).join(' ')

/** Returns the ports in a label; none for a label that is missing or damaged. */
export const frontsIn = (label: string | undefined): readonly FrontPort[] =>
  (label ?? '').split(' ').flatMap((text) => {
    const [port = Number.NaN, inner = Number.NaN] = text.split(':').map(Number)
    return port > 0 && inner > 0 ? [{ port, inner }] : []
  })
