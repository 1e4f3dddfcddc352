import { DEFAULT_INVITE_CODE_CONFIG } from './invite-code'
import { QUEUE_DEFAULTS, type Queue, type QueueSettings, queueKey } from './queue'

/** Returns a new queue with these settings. */
export function newQueue(
  projectId: string,
  queueId: string,
  settings: QueueSettings & { name: string },
  at: number,
): Queue {
  const base: Queue = {
    ...QUEUE_DEFAULTS,
    id: queueKey(projectId, queueId),
    version: 1,
    projectId,
    queueId,
    name: settings.name,
    inviteCodeConfig: DEFAULT_INVITE_CODE_CONFIG,
    createdAt: at,
    updatedAt: at,
  }
  return withSettings(base, settings)
}

/**
 * Returns the queue with the supplied settings replaced. A nested object is replaced as a whole: fields that it lacks get their defaults.
 */
export function withSettings(queue: Queue, settings: QueueSettings): Queue {
  const { inviteCodeConfig, ...rest } = settings
  const supplied = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const invite =
    inviteCodeConfig === undefined ? {} : { inviteCodeConfig: { ...DEFAULT_INVITE_CODE_CONFIG, ...inviteCodeConfig } }
  return { ...queue, ...supplied, ...invite }
}
