/** A balancer in front of the nodes. It sends each call to one of its ports, and never retries. */
export interface Balancer {
  readonly name: string
  readonly baseUrl: string
  /** Sends new calls to these ports; calls in progress on other ports continue. */
  use(ports: readonly number[]): Promise<void>
  stop(): Promise<void>
}
