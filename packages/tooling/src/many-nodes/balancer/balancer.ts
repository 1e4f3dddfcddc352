/** Balancer in front of the nodes: it gives each call to one of its ports, and never retries. */
export interface Balancer {
  readonly name: string
  readonly baseUrl: string
  /** Sends new calls to these ports; calls under way on others continue. */
  use(ports: readonly number[]): Promise<void>
  stop(): Promise<void>
}
