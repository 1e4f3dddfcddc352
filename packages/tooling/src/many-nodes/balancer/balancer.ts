/** What stands in front of the nodes: gives each call to one of those it was told to use, and tries none a second time. */
export interface Balancer {
  readonly name: string
  readonly baseUrl: string
  /** From now on calls go to these ports; what is under way on others goes on. */
  use(ports: readonly number[]): Promise<void>
  stop(): Promise<void>
}
