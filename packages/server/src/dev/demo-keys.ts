import type { ReferenceKeys } from '@matchyard/http'
import type { Credentials } from './local-files'

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

/**
 * The demo's API keys for the reference page, with which a developer can try calls at once. Only the developer at this
 * machine may get the keys: the service must listen on the loopback interface, and the page must have a loopback
 * address. A page under another host name that resolves to this machine gets no keys.
 */
export class DemoKeys {
  private keys: ReferenceKeys = {}

  constructor(private readonly host: string) {}

  set({ client_key: client, server_key: server }: Credentials): void {
    this.keys = { client, server }
  }

  readonly for = (origin: string): ReferenceKeys =>
    LOOPBACK.test(this.host) && URL.canParse(origin) && LOOPBACK.test(new URL(origin).hostname) ? this.keys : {}
}
