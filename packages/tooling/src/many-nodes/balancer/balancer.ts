/** A load balancer in front of the nodes. It sends each call to one of the ports in use, and never retries a call. */
export interface Balancer {
  readonly name: string
  readonly baseUrl: string
  /** Sends new calls to these ports; calls in progress on other ports continue. */
  use(ports: readonly number[]): Promise<void>
  stop(): Promise<void>
}
