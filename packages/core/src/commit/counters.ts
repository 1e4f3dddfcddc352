/*
 * Counters that commits change and test. They commute, so launches of one account never conflict with each other; adding 0 with
 * `atMost: 0` is how a deletion makes sure that nothing came to live in the thing meanwhile.
 */

/** Servers of an account that are launching, running or stopping. */
export const serverCounter = (accountId: string): string => `servers:${accountId}`
/** Builds of an account that are neither failed nor deleted. */
export const buildCounter = (accountId: string): string => `builds:${accountId}`
/** Live servers of a project; it cannot be deleted before they are gone. */
export const projectServerCounter = (projectId: string): string => `project-servers:${projectId}`
/** Live servers that run a build. */
export const buildServerCounter = (buildId: string): string => `build-servers:${buildId}`
/** Servers that wait for room: of the matches of a queue, and in the line of an orchestrator and region. */
export const queueRoomCounter = (key: string): string => `waiting-servers:${key}`
export const lineCounter = (orchestrator: string, region: string): string => `line:${orchestrator}/${region}`
/** Live servers of the matches of a queue that had been started before their match was made. */
export const queueWarmCounter = (key: string): string => `warm-servers:${key}`
/** Lobbies that live in a queue. */
export const queueLobbyCounter = (key: string): string => `queue-lobbies:${key}`
