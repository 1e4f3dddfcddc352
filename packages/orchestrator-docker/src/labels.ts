import { createHash } from 'node:crypto'

/** By these a container is found again whatever the service forgot. */
export const LABEL = {
  installation: 'matchyard.installation',
  project: 'matchyard.project',
  instance: 'matchyard.instance',
  attempt: 'matchyard.attempt',
  /** On containers that are never started: they are made to look into an image. */
  scratch: 'matchyard.scratch',
} as const

const INSTANCE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/

/** The engine gives a name to one container at most: launching twice at once makes one. */
export const containerName = (installationId: string, instanceId: string, attempt: number): string =>
  `matchyard-${shortHash(installationId)}-${checkedInstanceId(instanceId)}-${attempt}`

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** Ids become names of containers and folders. */
export function checkedInstanceId(instanceId: string): string {
  if (!INSTANCE_ID.test(instanceId)) throw new TypeError(`not an instance id: ${JSON.stringify(instanceId)}`)
  return instanceId
}

export interface LaunchMark {
  readonly instanceId: string
  readonly attempt: number
}

/** Which launch a container is; undefined when it is none, or its labels are not what a launch writes. */
export function launchMark(labels: Readonly<Record<string, string>> | undefined): LaunchMark | undefined {
  const instanceId = labels?.[LABEL.instance]
  const attempt = Number(labels?.[LABEL.attempt])
  const isMark =
    instanceId !== undefined && INSTANCE_ID.test(instanceId) && Number.isSafeInteger(attempt) && attempt > 0
  return isMark ? { instanceId, attempt } : undefined
}
