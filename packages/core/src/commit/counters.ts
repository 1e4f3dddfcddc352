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

/** Counter of the queues that have a rating. The rating cannot be deleted while there is one. */
export const ratingQueueCounter = (ratingRowId: string): string => `rating-queues:${ratingRowId}`
/** Counter of all matches that a rating ever counted; it never falls. Before the first match, model and initial skill can change. */
export const everRatedCounter = (ratingKey: string): string => `ever-rated:${ratingKey}`
/** Counter of the matches that a rating counts now: without those whose result says that they were not completed. */
export const ratedCounter = (ratingKey: string): string => `rated:${ratingKey}`
/** Counter of a sum of the calibration of a rating (`BucketSums`). */
export const calibrationCounter = (ratingKey: string, bucket: number, sum: string): string =>
  `calibration:${ratingKey}/${bucket}/${sum}`

/** Counter of a project's members. */
export const memberCounter = (projectId: string): string => `members:${projectId}`
/** Counter of the projects of other accounts of which an account is a member. */
export const grantCounter = (accountId: string): string => `grants:${accountId}`
/** Counter of a project's stored invitations. */
export const invitationCounter = (projectId: string): string => `invitations:${projectId}`
