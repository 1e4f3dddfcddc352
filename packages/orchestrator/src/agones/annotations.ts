export const DOMAIN = 'matchyard.dev'

/** What is read back, whole. */
export const ANNOTATION = {
  installation: `${DOMAIN}/installation`,
  instance: `${DOMAIN}/instance`,
  attempt: `${DOMAIN}/attempt`,
  readiness: `${DOMAIN}/readiness`,
  /** What it takes of the installation's room: CPUs and GiB. */
  size: `${DOMAIN}/size`,
  /** The ports as they were asked for, in the order of the object's. */
  ports: `${DOMAIN}/ports`,
  /** Set once, when it was found ready. */
  readyAt: `${DOMAIN}/ready-at`,
  /** When a launch took it from its pool. */
  allocatedAt: `${DOMAIN}/allocated-at`,
  /** On a fleet: until when nothing waits, because a launch found no room. */
  givesWayUntil: `${DOMAIN}/gives-way-until`,
  /** On the pod of one that was taken: what its file holds from then on. */
  configuration: `${DOMAIN}/configuration`,
} as const
