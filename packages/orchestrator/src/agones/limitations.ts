/**
 * Sentences for users. Each sentence describes a limit or a protection that this orchestrator does not enforce, or a
 * state that it cannot observe.
 */
export const LIMITATIONS: readonly string[] = [
  'UDP ports of game servers are not observed: nobody looks into the nodes of a cluster. A server that has stayed up for a second is taken as ready (readiness "uptime").',
  'The log of a game server does not tell stderr from stdout: the cluster keeps them as one.',
  'A game server is the first process of its container: a signal that it has no handler for does not end it, not even SIGTERM, unless its image begins with an init.',
  'Images are run by their digest as they were registered; whether they can be had is seen at the first launch.',
  'Game servers may open connections to whatever the cluster lets its pods reach: restrict that by a NetworkPolicy.',
]
