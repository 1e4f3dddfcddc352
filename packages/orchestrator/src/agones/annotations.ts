export const DOMAIN = 'matchyard.dev'

/** Annotations on the objects of this installation. Unlike labels, annotations can hold every value in full. */
export const ANNOTATION = {
  installation: `${DOMAIN}/installation`,
  instance: `${DOMAIN}/instance`,
  attempt: `${DOMAIN}/attempt`,
  readiness: `${DOMAIN}/readiness`,
  /** Share of the installation's capacity that the server takes: CPUs and GiB, separated by a space. */
  size: `${DOMAIN}/size`,
  /** Requested ports as JSON, in the order of the object's ports. */
  ports: `${DOMAIN}/ports`,
  /** Time at which the server was found ready; set once. */
  readyAt: `${DOMAIN}/ready-at`,
  /** Time at which a launch took the server from its pool. */
  allocatedAt: `${DOMAIN}/allocated-at`,
  /** On a fleet: time until which the fleet has no waiting servers, because a launch found no capacity. */
  givesWayUntil: `${DOMAIN}/gives-way-until`,
  /** On the pod of a warm server that a launch took: content of its configuration file. */
  configuration: `${DOMAIN}/configuration`,
} as const
