/**
 * Names of the counters to which commits add, and which they test. Additions in any order give the same sum, so launches of one account
 * never conflict. A commit that deletes an object, such as a build, adds 0 to a counter with `atMost: 0`, so that it fails while other
 * objects depend on the deleted object.
 */

/** Counter of an account's servers that are launching, running or stopping. */
export const serverCounter = (accountId: string): string => `servers:${accountId}`
/** Counter of an account's builds that are neither failed nor deleted. */
export const buildCounter = (accountId: string): string => `builds:${accountId}`
/** Counter of a project's live servers. A project with live servers cannot be deleted. */
export const projectServerCounter = (projectId: string): string => `project-servers:${projectId}`
/** Counter of the live servers that run a build. */
export const buildServerCounter = (buildId: string): string => `build-servers:${buildId}`
/** Counter of the servers that wait for capacity, by the queue of their match. `lineCounter` counts them by orchestrator and region. */
export const queueRoomCounter = (key: string): string => `waiting-servers:${key}`
export const lineCounter = (orchestrator: string, region: string): string => `line:${orchestrator}/${region}`
/** Counter of the live servers of a queue's matches that were started in advance, before their match was made. */
export const queueWarmCounter = (key: string): string => `warm-servers:${key}`
/** Counter of a queue's live lobbies. */
export const queueLobbyCounter = (key: string): string => `queue-lobbies:${key}`
