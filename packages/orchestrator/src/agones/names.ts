import { createHash } from 'node:crypto'
import { checkedInstanceId, isInstanceId } from '../kit/index'
import { ANNOTATION, DOMAIN } from './annotations'
import type { KubeMeta } from './kube/shapes'

export { ANNOTATION }

/** Labels with which the service selects its objects. */
export const LABEL = {
  /** Hash of the installation's id; the id itself may contain characters that labels must not contain. */
  installation: `${DOMAIN}/installation`,
  instance: `${DOMAIN}/instance`,
  attempt: `${DOMAIN}/attempt`,
  project: `${DOMAIN}/project`,
  match: `${DOMAIN}/match`,
  tier: `${DOMAIN}/tier`,
  /** Label of the secrets that contain notes about ended servers. */
  note: `${DOMAIN}/note`,
  /**
   * Label of a fleet and of all objects made from it: the hash of the warm pool. A launch selects a warm game server by
   * this label.
   */
  pool: `${DOMAIN}/pool`,
} as const

/**
 * Finalizer of a game server and its pod. It keeps the objects, with exit and log, in the cluster until the service has
 * read them.
 */
export const FINALIZER = `${DOMAIN}/exit`
export const CONTAINER = 'game'

export const hashOf = (text: string, length = 10): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/

/** Returns the text itself when it is a valid label value, else its hash. */
export const labelValue = (text: string): string => (LABEL_VALUE.test(text) ? text : hashOf(text, 40))

/**
 * Returns a valid object name: in lower case, without underscores. The hash distinguishes instance ids with the same
 * readable text, and installations in one namespace.
 */
function nameOf(installationId: string, instanceId: string, what: string): string {
  const readable = checkedInstanceId(instanceId)
    .toLowerCase()
    .replaceAll('_', '-')
    .slice(0, 40)
    .replace(/^-+|(?<!-)-+$/g, '')
  return `${readable}-${hashOf(`${installationId}\n${instanceId}`)}-${what}`
}

/**
 * Returns the name of an attempt's game server. The cluster allows a name only once, so two concurrent launches of one
 * attempt create one game server.
 */
export const gameServerName = (installationId: string, instanceId: string, attempt: number): string =>
  nameOf(installationId, instanceId, String(attempt))

export const noteName = (installationId: string, instanceId: string): string =>
  nameOf(installationId, instanceId, 'ended')

/**
 * Returns the name of a pool's fleet. The hash in the name includes the installation, so that two installations in one
 * namespace never use the same name.
 */
export const fleetName = (installationId: string, pool: string): string =>
  `warm-${hashOf(`${installationId}\n${pool}`, 16)}`

export const installationSelector = (installationId: string): string =>
  `${LABEL.installation}=${hashOf(installationId, 40)}`
export const instanceSelector = (installationId: string, instanceId: string): string =>
  `${installationSelector(installationId)},${LABEL.instance}=${labelValue(instanceId)}`

export const poolSelector = (installationId: string, pool: string): string =>
  `${installationSelector(installationId)},${LABEL.pool}=${pool}`

export interface LaunchMark {
  readonly instanceId: string
  readonly attempt: number
}

/**
 * Returns the launch of this installation that an object belongs to; undefined when it belongs to no such launch. The
 * function reads annotations, not labels, because labels may contain only a hash.
 */
export function launchMark({ annotations = {} }: KubeMeta, installationId: string): LaunchMark | undefined {
  const instanceId = annotations[ANNOTATION.instance]
  const attempt = Number(annotations[ANNOTATION.attempt])
  if (annotations[ANNOTATION.installation] !== installationId) return undefined
  const isMark = instanceId !== undefined && isInstanceId(instanceId) && Number.isSafeInteger(attempt) && attempt > 0
  return isMark ? { instanceId, attempt } : undefined
}

/**
 * Returns the hash of the warm pool from which an object comes (a fleet, or an object made from it, also after a launch
 * took it); undefined for an object of a cold launch.
 */
export const poolOf = ({ labels }: KubeMeta): string | undefined => labels?.[LABEL.pool]
