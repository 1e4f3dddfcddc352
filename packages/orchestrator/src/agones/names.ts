import { createHash } from 'node:crypto'
import { checkedInstanceId, isInstanceId } from '../kit/index'
import { ANNOTATION, DOMAIN } from './annotations'
import type { KubeMeta } from './kube/shapes'

export { ANNOTATION }

/** By these a game server is selected. */
export const LABEL = {
  /** A hash: an installation's id may hold what a label may not. */
  installation: `${DOMAIN}/installation`,
  instance: `${DOMAIN}/instance`,
  attempt: `${DOMAIN}/attempt`,
  project: `${DOMAIN}/project`,
  match: `${DOMAIN}/match`,
  tier: `${DOMAIN}/tier`,
  /** On notes about servers that have ended. */
  note: `${DOMAIN}/note`,
  /** Of a fleet and all that it makes: which launches may take one of it. */
  pool: `${DOMAIN}/pool`,
} as const

/** Keeps a game server and its pod, with its exit and its log, until they are put away. */
export const FINALIZER = `${DOMAIN}/exit`
export const CONTAINER = 'game'

export const hashOf = (text: string, length = 10): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

const LABEL_VALUE = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/

/** As it is where a label may hold it, else its hash. */
export const labelValue = (text: string): string => (LABEL_VALUE.test(text) ? text : hashOf(text, 40))

/** Names are of lower case and have no underscore; the hash tells apart what becomes alike, and one installation from another. */
function nameOf(installationId: string, instanceId: string, what: string): string {
  const readable = checkedInstanceId(instanceId)
    .toLowerCase()
    .replaceAll('_', '-')
    .slice(0, 40)
    .replace(/^-+|(?<!-)-+$/g, '')
  return `${readable}-${hashOf(`${installationId}\n${instanceId}`)}-${what}`
}

/** The cluster gives a name to one game server at most: launching twice at once makes one. */
export const gameServerName = (installationId: string, instanceId: string, attempt: number): string =>
  nameOf(installationId, instanceId, String(attempt))

export const noteName = (installationId: string, instanceId: string): string =>
  nameOf(installationId, instanceId, 'ended')

/** Fleets of two installations in one namespace are called differently, whatever waits in them. */
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

/** Which launch of this installation an object is; undefined when it is none, whatever its labels say. */
export function launchMark({ annotations = {} }: KubeMeta, installationId: string): LaunchMark | undefined {
  const instanceId = annotations[ANNOTATION.instance]
  const attempt = Number(annotations[ANNOTATION.attempt])
  if (annotations[ANNOTATION.installation] !== installationId) return undefined
  const isMark = instanceId !== undefined && isInstanceId(instanceId) && Number.isSafeInteger(attempt) && attempt > 0
  return isMark ? { instanceId, attempt } : undefined
}

/** The hash of its pool, of a fleet, what it made, and what a launch took of that; undefined of what was launched cold. */
export const poolOf = ({ labels }: KubeMeta): string | undefined => labels?.[LABEL.pool]
