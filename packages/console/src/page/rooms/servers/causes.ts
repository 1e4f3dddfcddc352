import type { Server } from '@matchyard/client/admin'
import { buildOf } from './build-of'

/** Servers of one version of a build that failed for the same cause. */
export interface Cause {
  readonly key: string
  /** Reason of the latest of these failures. */
  readonly sentence: string
  readonly servers: readonly Server[]
}

/**
 * Groups failed servers by build version and cause; the cause of the latest failure comes first. Two failures have the
 * same cause if their reasons differ only in numbers and ids. `servers` must be in order, newest first.
 */
export function causesOf(servers: readonly Server[]): readonly Cause[] {
  const byKey = new Map<string, Server[]>()
  for (const server of servers) {
    if (server.status !== 'failed') continue
    const reason = server.stop_reason ?? 'no reason was reported'
    const key = `${buildOf(server)}: ${reason.replace(/[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}|\d+/g, '#')}`
    byKey.set(key, [...(byKey.get(key) ?? []), server])
  }
  return [...byKey]
    .map(([key, failed]) => ({ key, servers: failed, sentence: failed[0]?.stop_reason ?? 'no reason was reported' }))
    .sort((a, b) => endOf(b).localeCompare(endOf(a)))
}

export const endOf = ({ servers }: Cause): string => servers[0]?.stopped_at ?? servers[0]?.updated_at ?? ''
