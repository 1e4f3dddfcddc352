const TIMEOUT_MS = 2_000
const HEARTBEAT_MS = 10_000

/** Calls of a game server to its service, with the token of its configuration. */
export class ServiceApi {
  constructor({ api_url, token }) {
    this.base = api_url && token ? `${api_url}/v1/servers/self` : undefined
    this.token = token
  }

  ready = () => this.call('ready')
  heartbeat = () => this.call('heartbeat')
  shutdown = () => this.call('shutdown')

  keepBeating() {
    if (this.base !== undefined) setInterval(this.heartbeat, HEARTBEAT_MS).unref()
  }

  /** Calls the service. A failure is only logged, because a match continues while the service is away. */
  async call(name) {
    if (this.base === undefined) return
    try {
      const response = await fetch(`${this.base}/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.token}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.arrayBuffer()
      if (!response.ok) console.error(`${name}: the service answered ${response.status}`)
    } catch (error) {
      console.error(`${name}: ${error.cause?.message ?? error.message}`)
    }
  }
}
