import { validateConfig } from '@matchyard/matchmaking'
import type { ValidationIssue } from '../errors/service-error'
import { MIN_TTL_SECONDS } from '../server/game-server'
import { portFaults } from '../server/ports'
import { hasUnclosedQuote } from '../server/startup-args'
import { freeFormFault } from '../shared/json'
import type { InviteCodeConfig } from './invite-code'
import { MAX_LOBBY_PLAYERS, QUEUE_ID_PATTERN, type Queue, type QueueMatchmaking, type ServerSettings } from './queue'

/** The largest number of seconds that any setting takes: ten years, so that instants stay exact. */
export const MAX_SECONDS = 315_360_000

/** What is wrong with a queue's settings (specification, "Queue"; contract §5); empty when it can be kept. */
export function queueFaults(queue: Queue): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  if (!QUEUE_ID_PATTERN.test(queue.queueId))
    issues.push({ path: 'queueId', message: `must match ${QUEUE_ID_PATTERN.source}` })
  if ([...queue.name].length < 1 || [...queue.name].length > 128)
    issues.push({ path: 'name', message: 'must be 1 to 128 characters' })
  inRange(issues, 'maxPlayers', queue.maxPlayers, 1, MAX_LOBBY_PLAYERS)
  inRange(issues, 'timeoutSeconds', queue.timeoutSeconds, 1, MAX_SECONDS)
  inRange(issues, 'heartbeatTimeoutSeconds', queue.heartbeatTimeoutSeconds, 1, MAX_SECONDS)
  inRange(issues, 'lobbyTtlSeconds', queue.lobbyTtlSeconds, 1, MAX_SECONDS)
  issues.push(...inviteFaults(queue.inviteCodeConfig))
  if (queue.serverSettings !== null) issues.push(...serverSettingsFaults(queue.serverSettings))
  if (queue.matchmaking !== null) issues.push(...matchmakingFaults(queue.matchmaking))
  return issues
}

function inRange(issues: ValidationIssue[], path: string, value: number, low: number, high: number): void {
  if (!Number.isInteger(value) || value < low || value > high) {
    issues.push({ path, message: `must be a whole number from ${low} to ${high}` })
  }
}

function inviteFaults(config: InviteCodeConfig): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  inRange(issues, 'inviteCodeConfig.length', config.length, 4, 32)
  if ([...config.prefix].length > 16)
    issues.push({ path: 'inviteCodeConfig.prefix', message: 'must be at most 16 characters' })
  return issues
}

function serverSettingsFaults(settings: ServerSettings): ValidationIssue[] {
  const issues = portFaults(settings.networkPorts ?? [], 'serverSettings.networkPorts')
  if (settings.ttl !== undefined) inRange(issues, 'serverSettings.ttl', settings.ttl, MIN_TTL_SECONDS, MAX_SECONDS)
  if (settings.startupArgs !== undefined && hasUnclosedQuote(settings.startupArgs)) {
    issues.push({ path: 'serverSettings.startupArgs', message: 'has a quote that is never closed' })
  }
  const fault = settings.customData === undefined ? undefined : freeFormFault(settings.customData)
  if (fault !== undefined) issues.push({ path: 'serverSettings.customData', message: fault })
  return issues
}

function matchmakingFaults({ timeoutSeconds, ...config }: QueueMatchmaking): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  if (timeoutSeconds !== undefined) inRange(issues, 'matchmaking.timeoutSeconds', timeoutSeconds, 1, MAX_SECONDS)
  for (const { path, message } of validateConfig(config))
    issues.push({ path: ['matchmaking', ...path].join('.'), message })
  return issues
}
