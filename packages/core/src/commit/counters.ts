/**
 * Counters that commits add to and test. Additions in any order give the same sum, so launches of one account never conflict. A commit that
 * deletes a thing adds 0 to a counter with `atMost: 0`. The commit fails when another thing still depends on the deleted thing.
 */

/** Servers of an account that are launching, running or stopping. */
export const serverCounter = (accountId: string): string => `servers:${accountId}`
/** Builds of an account that are neither failed nor deleted. */
export const buildCounter = (accountId: string): string => `builds:${accountId}`
/** Live servers of a project. A project with live servers cannot be deleted. */
export const projectServerCounter = (projectId: string): string => `project-servers:${projectId}`
/** Live servers that run a build. */
export const buildServerCounter = (buildId: string): string => `build-servers:${buildId}`
/** Servers that wait for capacity, counted by the queue of their match. `lineCounter` counts them by orchestrator and region. */
export const queueRoomCounter = (key: string): string => `waiting-servers:${key}`
export const lineCounter = (orchestrator: string, region: string): string => `line:${orchestrator}/${region}`
/** Live servers of a queue's matches that were started in advance, before their match was made. */
export const queueWarmCounter = (key: string): string => `warm-servers:${key}`
/** Live lobbies of a queue. */
export const queueLobbyCounter = (key: string): string => `queue-lobbies:${key}`
