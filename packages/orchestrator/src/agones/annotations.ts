export const DOMAIN = 'matchyard.dev'

/**
 * Annotations on the Kubernetes objects of this installation. Unlike labels, annotations can hold every value in full.
 */
export const ANNOTATION = {
  installation: `${DOMAIN}/installation`,
  instance: `${DOMAIN}/instance`,
  attempt: `${DOMAIN}/attempt`,
  readiness: `${DOMAIN}/readiness`,
  /** Size of the server that counts towards the installation's limits: CPUs and GiB, separated by a space. */
  size: `${DOMAIN}/size`,
  /** Requested ports as JSON, in the order of the object's ports. */
  ports: `${DOMAIN}/ports`,
  /** Time at which the service found the server ready; written once. */
  readyAt: `${DOMAIN}/ready-at`,
  /** Time at which a launch took the server from its pool. */
  allocatedAt: `${DOMAIN}/allocated-at`,
  /** On a fleet: the time until which the fleet keeps no warm servers, because a launch found no capacity. */
  givesWayUntil: `${DOMAIN}/gives-way-until`,
  /** On the pod of a warm server that a launch took: the content of the server's configuration file. */
  configuration: `${DOMAIN}/configuration`,
} as const
